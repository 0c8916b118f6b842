import { gemini } from "../agents/gemini.ts";
import { nothingFailsOpenIn } from "../agents/nothing-fails-open.ts";
import { programGoneIn } from "../agents/program-gone.ts";

nothingFailsOpenIn(gemini);
programGoneIn(gemini);
