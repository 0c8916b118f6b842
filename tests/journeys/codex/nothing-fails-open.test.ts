import { codex } from "../agents/codex.ts";
import { nothingFailsOpenIn } from "../agents/nothing-fails-open.ts";
import { programGoneIn } from "../agents/program-gone.ts";

nothingFailsOpenIn(codex);
programGoneIn(codex);
