import { command as callsFailed } from "./calls-failed.ts";
import type { Command } from "./command.ts";

/** A command's place in the tree. Its file is loaded only when it is called: hot commands pay for nothing but themselves. */
export interface Branch {
  readonly words: readonly string[];
  readonly says: string;
  readonly load: () => Promise<Command>;
  /** Internal commands work but are not offered. */
  readonly hidden?: true;
}

export const tree: readonly Branch[] = [
  {
    words: ["run-hook"],
    says: "answer a harness: one event, or --serve for a whole session",
    load: async () => (await import("./run-hook.ts")).command,
  },
  {
    words: ["hook"],
    says: "run one built-in gate on an event from stdin",
    load: async () => (await import("./hook.ts")).command,
  },
  {
    words: ["owned-hook"],
    says: "own one hook's process group (started by a core only)",
    load: async () => (await import("./owned-hook.ts")).command,
    hidden: true,
  },
  {
    words: ["hooks", "running"],
    says: "what runs now and who owns it; --end-orphans ends what a dead core left",
    load: async () => (await import("./hooks-running.ts")).command,
  },
  {
    words: ["hooks", "declare"],
    says: "switch hooks on: a file of yours, a preset, or a gate of Tama's",
    load: async () => (await import("./hooks-declare.ts")).command,
  },
  {
    words: ["hooks", "declared"],
    says: "what is switched on, and which tools it reaches",
    load: async () => (await import("./hooks-declared.ts")).command,
  },
  {
    words: ["hooks", "withdraw"],
    says: "switch a hook off",
    load: async () => (await import("./hooks-withdraw.ts")).command,
  },
  {
    words: ["calls", "failed"],
    says: "the calls a session may not repeat unchanged, as JSON",
    // In the file of the entry: an agent asks this often, it is small, and a file more costs a start a tenth of a millisecond.
    load: () => Promise.resolve(callsFailed),
  },
  {
    words: ["calls", "retry"],
    says: "lift the hold on one call, saying what changed",
    load: async () => (await import("./calls-retry.ts")).command,
  },
  {
    words: ["grant", "once"],
    says: "let one gate's refusal through, once, saying why",
    load: async () => (await import("./grant-once.ts")).command,
  },
  {
    words: ["wait"],
    says: "run a command until its answer changes, then print it",
    load: async () => (await import("./wait.ts")).command,
  },
  { words: ["install"], says: "put Tama into your agents", load: async () => (await import("./install.ts")).command },
  {
    words: ["uninstall"],
    says: "take Tama out again, leaving your files as they were",
    load: async () => (await import("./uninstall.ts")).command,
  },
  {
    words: ["status"],
    says: "sessions, hooks and problems at a glance",
    load: async () => (await import("./status.ts")).command,
  },
  { words: ["log"], says: "what was decided, newest last", load: async () => (await import("./log.ts")).command },
  {
    words: ["why"],
    says: "one refusal explained: what, why, what to do instead",
    load: async () => (await import("./why.ts")).command,
  },
  {
    words: ["replay"],
    says: "play finished sessions through the gates: what would have been refused, and was it right",
    load: async () => (await import("./replay.ts")).command,
  },
  {
    words: ["replay-part"],
    says: "play one transcript after another (started by replay only)",
    load: async () => (await import("./replay-part.ts")).command,
    hidden: true,
  },
  {
    words: ["transcript", "read"],
    says: "a session's transcript as Tama reads it",
    load: async () => (await import("./transcript-read.ts")).command,
  },
  {
    words: ["transcript", "accept"],
    says: "pass over one broken line of a transcript (the operator's)",
    load: async () => (await import("./transcript-accept.ts")).command,
  },
  {
    words: ["try"],
    says: "watch Tama judge a short agent session",
    load: async () => (await import("./try.ts")).command,
  },
  {
    words: ["doctor"],
    says: "is Tama really in your agents, and does it answer",
    load: async () => (await import("./doctor.ts")).command,
  },
  {
    words: ["completions"],
    says: "a completion script for bash, zsh or fish",
    load: async () => (await import("./completions.ts")).command,
  },
];
