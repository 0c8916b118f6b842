import { callEffect } from "../../calls/call-effect.ts";
import { touchedPath } from "../../calls/edited-path.ts";
import { type CallId, callIdentity } from "../../calls/identity.ts";
import { type ToolKind, toolKind } from "../../calls/kind.ts";
import { shellLine } from "../../calls/shell-line.ts";
import type { Effect } from "../../shell/effect.ts";
import type { Payload } from "../../words/event.ts";

/** Whose records a call belongs to: a subagent's state is its own. */
export interface Owner {
  readonly session: string;
  readonly agentId: string | null;
}

/** A tool call as the repeat rule sees it; computed once, at its tool_call. */
export interface Call {
  readonly id: CallId;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly effect: Effect;
  /** The command line of a shell call. */
  readonly line: string | null;
  /** The file a read, write or edit names, absolute. */
  readonly path: string | null;
  readonly harnessCall: string | null;
  readonly message: string | number | null;
  readonly transcript: string | null;
}

export function ownerOf(payload: Payload<"session_end">): Owner | null {
  if (payload.session == null || payload.session === "") return null;
  return {
    session: payload.session,
    agentId: payload.agentId == null || payload.agentId === "" ? null : payload.agentId,
  };
}

/** One session's or subagent's place in tables of this process. */
export function keyOf(owner: Owner): string {
  return JSON.stringify([owner.session, owner.agentId]);
}

export function describeCall(harness: string, payload: Payload<"tool_call">): Call {
  const { tool, input } = payload;
  const directory = payload.cwd ?? null;
  const kind = payload.kind ?? toolKind(harness, tool);
  return {
    id: callIdentity(harness, tool, directory, input),
    tool,
    kind,
    effect: callEffect({ harness, tool, kind, input }),
    line: kind === "shell" ? shellLine(input) : null,
    path: kind === "read" || kind === "write" ? touchedPath(input, directory) : null,
    harnessCall: payload.call ?? null,
    message: payload.message ?? null,
    transcript: payload.transcript ?? null,
  };
}
