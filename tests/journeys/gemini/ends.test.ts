import { endsOf } from "../agents/ends.ts";
import { gemini } from "../agents/gemini.ts";

endsOf(gemini);
