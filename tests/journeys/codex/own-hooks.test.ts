import { codex } from "../agents/codex.ts";
import { ownHooksOf } from "../agents/own-hooks.ts";

ownHooksOf(codex);
