import { existsSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { findFromEnd } from "../../transcript/find-from-end.ts";
import { hookLine } from "../canaries.ts";
import type { Inspection, Problem } from "../examine/inspection.ts";
import type { Machine } from "../harness.ts";
import { programOfGuarded } from "../registered-line.ts";
import { wantedGroups } from "./entries.ts";
import { ownCommandIn, ownPlacesIn, strangeKeys } from "./hooks-file.ts";
import { codexHome, trustWayOut } from "./install.ts";
import { hooksSwitchedOff, trustOf } from "./trust.ts";

/** Codex's side of `tama doctor`: what stands in its home, and whether Codex would run it. */
export async function inspectCodex(machine: Machine): Promise<Inspection> {
  const folder = codexHome(machine);
  const path = join(folder, "hooks.json");
  const read = machine.read(path);
  const text = read.ok ? (read.value ?? "") : "";
  const installed = ownPlacesIn(text).length > 0;
  const command = ownCommandIn(text, "PreToolUse");
  const binary = command === null ? null : programOfGuarded(command);
  const unreadable = read.ok ? [] : [{ what: read.cause, wayOut: "make it readable" }];
  return {
    installed,
    file: path,
    binary,
    line: hookLine(machine, command, { event: "PreToolUse", refusal: denial, callField: "tool_use_id" }),
    problems: installed
      ? [...unreadable, ...strangers(path, text), ...trustProblems(machine, text, binary)]
      : unreadable,
    notes: [],
    transcripts: { folder: join(folder, "sessions"), sessionOf },
    unasked: ["write_stdin", "exec", "wait"],
  };
}

const denial = '"permissionDecision":"deny"';

function strangers(path: string, text: string): readonly Problem[] {
  const keys = strangeKeys(text);
  if (keys.length === 0) return [];
  const what = `${path} holds ${keys.map((key) => JSON.stringify(key)).join(", ")} beside "hooks", and Codex drops the whole file for a key it does not know`;
  return [{ what, wayOut: "take it out of that file" }];
}

function trustProblems(machine: Machine, text: string, binary: string | null): readonly Problem[] {
  const folder = codexHome(machine);
  const path = join(folder, "config.toml");
  const config = machine.read(path);
  if (!config.ok) return [{ what: config.cause, wayOut: "make it readable" }];
  if (hooksSwitchedOff(config.value))
    return [
      { what: `${path} says hooks = false, so Codex runs no hook`, wayOut: "take hooks = false out of [features]" },
    ];
  const real = join(existsSync(folder) ? realpathSync(folder) : folder, "hooks.json");
  const states = trustOf(text, real, config.value, wantedGroups(binary ?? ""));
  if (!states.ok) return [{ what: `${path} ${states.cause}`, wayOut: "mend that file; Codex cannot read it either" }];
  const bad = states.value.filter(({ state }) => state !== "trusted");
  if (bad.length === 0) return [];
  const named = bad.map(({ event, state }) => `${event} (${state})`).join(", ");
  return [{ what: `Codex does not run Tama's hooks, since you have not trusted them: ${named}`, wayOut: trustWayOut }];
}

/** `rollout-2026-11-30T17-47-13-<session>.jsonl`. A subagent's file has an id of its own, and its calls are its session's. */
function sessionOf(path: string): string | null {
  const source = findFromEnd(path, '"session_meta"', (record) => {
    const payload: unknown = typeof record === "object" && record !== null ? Reflect.get(record, "payload") : null;
    return typeof payload === "object" && payload !== null ? String(Reflect.get(payload, "thread_source")) : null;
  });
  if (source.ok && source.value === "subagent") return null;
  return /^rollout-.*?-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/.exec(basename(path))?.[1] ?? null;
}
