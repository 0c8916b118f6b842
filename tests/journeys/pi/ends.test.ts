import { endsOf } from "../agents/ends.ts";
import { pi } from "../agents/pi.ts";

endsOf(pi);
