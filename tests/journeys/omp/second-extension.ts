import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OmpRig, until } from "../../clients/omp-rig.ts";

/** What an extension beside Tama's does when a test says so. */
export interface SecondExtension {
  /** Runs the statement in OMP, with `pi` and the newest `context`; resolves when it is done. */
  readonly act: (statement: string) => Promise<void>;
}

/**
 * Puts an extension of somebody else's beside Tama's. `name` says when OMP loads it: before `tama` in the alphabet, its handlers are asked
 * before Tama's. `more` are statements of its own, with `pi`, for handlers that are always there.
 */
export function secondExtension(rig: OmpRig, name = "zz-second", more = ""): SecondExtension {
  const order = join(rig.home, `${name}.order`);
  const program = `import fs from "node:fs";
let context = null;
const sleep = (ms) => new Promise((next) => setTimeout(next, ms));
const heldWhile = async (path) => { while (fs.existsSync(path)) await sleep(20); };
export default function (pi) {
  for (const event of ["session_start", "agent_start", "turn_start", "agent_end"]) pi.on(event, (_event, given) => void (context = given));
  ${more}
  setInterval(() => {
    if (!fs.existsSync(${JSON.stringify(order)})) return;
    const statement = fs.readFileSync(${JSON.stringify(order)}, "utf8");
    fs.rmSync(${JSON.stringify(order)});
    const done = () => fs.writeFileSync(${JSON.stringify(`${order}.done`)}, "");
    Promise.resolve(new Function("pi", "context", statement)(pi, context)).then(done, (cause) => console.error(cause));
  }, 20).unref();
}
`;
  writeFileSync(join(rig.home, ".omp/agent/extensions", `${name}.ts`), program);
  let acts = 0;
  return {
    act: async (statement) => {
      const number = ++acts;
      writeFileSync(`${order}.new`, `${statement}\n// ${number}\n`);
      renameSync(`${order}.new`, order);
      await until(() => existsSync(`${order}.done`), `the second extension's ${statement}`);
      renameSync(`${order}.done`, `${order}.done.${number}`);
    },
  };
}

/** Sends a message that starts a turn, as an extension that watches something would. */
export function sends(text: string, options: object = { triggerTurn: true }): string {
  const message = { customType: "second", content: text, display: true, attribution: "agent" };
  return `return pi.sendMessage(${JSON.stringify(message)}, ${JSON.stringify(options)});`;
}
