import { ownHooksOf } from "../agents/own-hooks.ts";
import { pi } from "../agents/pi.ts";

ownHooksOf(pi);
