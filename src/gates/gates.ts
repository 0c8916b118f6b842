import type { Gate } from "./gate.ts";

/**
 * Every gate that comes with Tama, by id. Each is loaded when it is asked, so that a gate pays for nothing another one needs (one parses
 * Markdown).
 */
const gates: Readonly<Record<string, () => Promise<Gate>>> = {
  "block-gate-tampering": async () => (await import("./gate-discipline/block-gate-tampering.ts")).blockGateTampering,
  "block-idle-answer": async () => (await import("./answer-discipline/block-idle-answer.ts")).blockIdleAnswer,
  "block-stop-on-own-work": async () =>
    (await import("./answer-discipline/block-stop-on-own-work.ts")).blockStopOnOwnWork,
  "block-unchecked-operator-commands": async () =>
    (await import("./answer-discipline/commands/block-unchecked-operator-commands.ts")).blockUncheckedOperatorCommands,
  "block-wait-polling": async () => (await import("./answer-discipline/block-wait-polling.ts")).blockWaitPolling,
};

/** Gates that wait for a model's last word only, and bring a parser of their own: not worth loading ahead of need. */
const rare: ReadonlySet<string> = new Set(["block-stop-on-own-work", "block-unchecked-operator-commands"]);

/** Loads what nearly every event needs, for a process that waits for one. */
export async function readyGates(): Promise<void> {
  await Promise.all(Object.entries(gates).map(([id, load]) => (rare.has(id) ? null : load())));
}

export async function gateNamed(id: string): Promise<Gate | null> {
  return Object.hasOwn(gates, id) ? ((await gates[id]?.()) ?? null) : null;
}
