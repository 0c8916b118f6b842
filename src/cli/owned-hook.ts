import { ownedHook } from "../supervision/owned-hook.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "owned-hook  (started by a core only)",
  about: "Owns one hook: its process group, its birth record, its end. Refuses to be started by hand.",
  args: {
    birth: { type: "positional", required: false },
    "in-flight": { type: "positional", required: false },
    "core-pid": { type: "positional", required: false },
    "core-start": { type: "positional", required: false },
  },
  run: (context, given) => {
    const [birth, inFlight, corePid, coreStart] = given.words;
    const complete = birth !== undefined && inFlight !== undefined && corePid !== undefined && coreStart !== undefined;
    return ownedHook(
      complete
        ? {
            birth,
            inFlight,
            corePid: Number(corePid),
            coreStart: coreStart === "-" ? null : coreStart,
            gateDoor: async (gate, stdin) => (await import("./gate-door.ts")).openGateDoor(context)(gate, stdin),
            readyGates: async () => (await import("./gate-door.ts")).rehearseGates(context),
          }
        : null,
    );
  },
};
