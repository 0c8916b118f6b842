import { gemini } from "../agents/gemini.ts";
import { ownHooksOf } from "../agents/own-hooks.ts";

ownHooksOf(gemini);
