import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { printable } from "../base/printable.ts";
import { quotedWord } from "../base/quoted-word.ts";
import { type Core, openCore } from "../core/core.ts";
import { declareHooks, readDeclarationFile } from "../core/registry.ts";
import { homeAt } from "../disk/home.ts";
import { makeScratchFolder } from "../disk/scratch-folder.ts";
import { findProgram } from "../process/find-program.ts";
import { ownFolders } from "../replay/find-sessions.ts";
import { inspectHooks } from "../supervision/inspection.ts";
import type { EventName } from "../words/event.ts";
import { parseEvent } from "../words/event.ts";
import type { Answer } from "../words/wire.ts";
import type { Command, Context } from "./command.ts";
import { ownHook, type Scene, story } from "./try-story.ts";

export const command: Command = {
  usage: "try",
  about:
    "Plays a short agent session through the real core, in a folder of its own that is removed afterwards, and explains each verdict.",
  args: {},
  run: async (context) => {
    const scratch = makeScratchFolder("try");
    try {
      return await play(context, scratch.path, scratch.write);
    } finally {
      scratch.remove();
    }
  },
};

async function play(
  context: Context,
  folder: string,
  write: (name: string, text: string, mode?: number) => string,
): Promise<number> {
  const home = homeAt(join(folder, "home"));
  const hook = write("no-force-push.sh", ownHook, 0o700);
  const declaration = {
    id: "no-force-push",
    says: "nobody rewrites the shared branch",
    on: [{ event: "tool_call", tools: ["kind:shell"] }],
    program: { command: [hook] },
  };
  const read = readDeclarationFile(write("no-force-push.json", JSON.stringify(declaration)));
  const declared = read.ok ? await declareHooks(home, [read.value], context.clock.iso()) : read;
  if (!declared.ok) {
    context.err(`try: ${declared.cause}\n`);
    return 1;
  }
  const core = openCore({
    home,
    harness: "omp",
    environment: context.environment,
    program: context.program,
    clock: context.clock,
  });
  const paint = painter(await context.colour());
  context.out(`${paint.strong("A short agent session, judged by the real thing.")}\n`);
  // Whatever stops the story (a reader that has seen enough), no supervisor may outlive it.
  const surprises = await playScenes(context, core, folder, paint).finally(() => core.close());
  const left = await inspectHooks(home);
  context.out(
    `\n${left.hooks.length === 0 ? "No process of any hook is left." : "A hook is still running; this is a defect of Tama."}\n`,
  );
  context.out(next(context, paint));
  if (surprises > 0) context.err(`try: ${surprises} verdict(s) were not as the story says; this is a defect of Tama\n`);
  return surprises === 0 && left.hooks.length === 0 ? 0 : 1;
}

/** @returns how many verdicts were not as the story says */
async function playScenes(context: Context, core: Core, folder: string, paint: Painter): Promise<number> {
  let surprises = 0;
  for (const [index, scene] of story.entries()) {
    const answer = await ask(core, folder, "tool_call", index, scene);
    if (!answer.ok || answer.verdict !== scene.expect) surprises++;
    context.out(told(paint, index, scene, answer));
    if (answer.ok && answer.verdict === "pass" && scene.result !== undefined)
      await ask(core, folder, "tool_result", index, scene);
  }
  return surprises;
}

async function ask(core: Core, cwd: string, name: EventName, index: number, scene: Scene): Promise<Answer> {
  const event = parseEvent(name, {
    session: "try",
    cwd,
    call: `call-${index}`,
    message: `m${index}`,
    ...scene.call,
    ...(name === "tool_result" ? scene.result : {}),
  });
  if (typeof event === "string") throw new Error(event);
  return await core.dispatch({
    id: `${name}-${index}`,
    event,
    signal: new AbortController().signal,
    onProgress: () => {},
  });
}

interface Painter {
  readonly strong: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly quiet: (text: string) => string;
}

function painter(colour: boolean): Painter {
  const paint = (code: number) => (text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { strong: paint(1), good: paint(32), bad: paint(31), quiet: paint(2) };
}

function told(paint: Painter, index: number, scene: Scene, answer: Answer): string {
  const call = `${scene.call.tool} ${typeof scene.call.input["command"] === "string" ? scene.call.input["command"] : JSON.stringify(scene.call.input["path"])}`;
  const refused = answer.ok && answer.verdict === "refuse" ? answer : null;
  const verdict = refused === null ? paint.good("runs") : paint.bad(`refused by ${refused.blockedHookId}`);
  const said =
    refused === null
      ? scene.result === undefined
        ? []
        : [paint.quiet(`     it answers: ${printable(scene.result.text.split("\n")[0] ?? "")}`)]
      : refused.reason.split("\n").map((line) => `     │ ${line}`);
  return `\n${index + 1}. ${scene.title}\n     ${paint.strong(call)}  →  ${verdict}\n${said.map((line) => `${line}\n`).join("")}     ${scene.explain}\n`;
}

/** What to do now, and whether this machine holds sessions of its own. */
function next(context: Context, paint: Painter): string {
  const found = ownFolders(context.userHome, context.environment).filter(({ folder }) => existsSync(folder));
  const own =
    found.length === 0
      ? []
      : [
          [
            `${typed(context)} replay --mine`,
            `play your own sessions of ${found.map((one) => one.name).join(", ")} through the gates before you switch one on`,
          ],
        ];
  const tama = typed(context);
  const steps = [
    [`${tama} install`, `put Tama into the agents found here (${tama} uninstall undoes it)`],
    [`${tama} hooks declare --preset standalone`, "switch on Tama's own gates; docs/hooks.md: a hook of your own"],
    ...own,
  ];
  const width = Math.max(...steps.map(([line = ""]) => line.length));
  return `${["", paint.strong("Next"), ...steps.map(([line = "", says = ""]) => `  ${line.padEnd(width)}  ${says}`)].join("\n")}\n`;
}

/** This program as a person types it here: by its name where a shell would find it, else by its path. */
function typed({ program: [path = "tama"], environment, cwd }: Context): string {
  const found = findProgram("tama", environment["PATH"] ?? "");
  if (found !== null && realpathSync(found) === realpathSync(path)) return "tama";
  const below = path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  return quotedWord(below.includes("/") ? below : `./${below}`);
}
