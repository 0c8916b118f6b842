import { absoluteInput } from "../calls/absolute-input.ts";
import { actsByName } from "../calls/acts-by-name.ts";
import { callEffect, planPart } from "../calls/call-effect.ts";
import { touchedPath } from "../calls/edited-path.ts";
import { callIdentity } from "../calls/identity.ts";
import { toolKind } from "../calls/kind.ts";
import type { Effect } from "../shell/effect.ts";
import type { FormatName, TranscriptCall } from "./entry.ts";
import { type CallTexts, type Files, textsOfCall } from "./known-files.ts";

/** A call without an answer yet, as the ledger keeps it. */
export interface OpenCall {
  /** Names the look; empty for a call that is none and needs no name. */
  readonly key: string;
  readonly tool: string;
  readonly effect: Effect;
  readonly write: boolean;
  /** The file it reads or writes. */
  readonly file?: string;
  /** It writes or shows the session's own plan. */
  readonly plan?: "writes" | "shows";
  readonly message: string | null;
  /** What it would put on the clipboard and into files; absent for most. */
  readonly texts?: CallTexts;
  /** It may change files that it does not name. */
  readonly forgetsFiles?: true;
  /** A later message came while it had no answer. */
  late: boolean;
  /** Something changed while it ran, so its answer may be from before. */
  spoiled: boolean;
}

export function openedCall(call: TranscriptCall, format: FormatName, message: string | null, files: Files): OpenCall {
  const kind = toolKind(format, call.tool);
  const { effect, write } = whatItDoes(call, format);
  const looks = effect === "reads" || effect === "unknown";
  const plan = planPart(call.tool);
  const file = kind === "read" || kind === "write" ? touchedPath(call.input, call.directory) : null;
  return {
    ...(file === null ? {} : { file }),
    ...(plan === null ? {} : { plan }),
    ...textsOfCall(call, kind, files),
    key: looks ? lookKey(format, call.tool, call.directory, call.input) : "",
    effect,
    write,
    tool: call.tool,
    message,
    late: false,
    spoiled: false,
  };
}

/** What a call can do to the answers of later ones, and whether it writes nothing when it fails. */
export function whatItDoes(call: TranscriptCall, format: FormatName): Pick<OpenCall, "effect" | "write"> {
  const kind = toolKind(format, call.tool);
  const known = callEffect({ harness: format, tool: call.tool, kind, input: call.input });
  // Its name tells of a tool only where no table does: `TodoWrite` is a plan written down, and changes nothing.
  const acts = known === "unknown" && kind === "other" && actsByName(call.tool);
  return { effect: acts ? "changes" : known, write: kind === "write" || acts };
}

/** One look's name. Tools are known in any case and files by their place, since hooks and transcript may write them differently. */
export function lookKey(format: FormatName, tool: string, directory: string | null, input: unknown): string {
  return callIdentity(format, tool.toLowerCase(), directory, absoluteInput(input, directory));
}
