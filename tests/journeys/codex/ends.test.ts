import { codex } from "../agents/codex.ts";
import { endsOf } from "../agents/ends.ts";

endsOf(codex);
