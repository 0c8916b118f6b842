import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CoreRequest, type DrivenCore, startCore } from "../core-driver.ts";
import { commandOf, processesWith, runs, type SeenProcess } from "../process-table.ts";
import { declareHook, makeWorld, type World } from "../tama-command.ts";
import { until } from "../until.ts";
import { type HeldEndpoint, holdEndpoint } from "./held-endpoint.ts";
import { type Qualification, qualify, writeReport } from "./report.ts";

/** A stop hook that waits: its real curl has sent a request that nobody answers. */
export interface HeldHook {
  readonly world: World;
  readonly core: DrivenCore;
  readonly endpoint: HeldEndpoint;
  /** The id of the waiting dispatch. */
  readonly dispatch: string;
  /** Supervisor, shell and curl, as they were while it waited. */
  readonly processes: readonly (SeenProcess & { readonly command: string })[];
  readonly birthRecords: Readonly<Record<string, string>>;
  /** Writes the report; call it before the first assertion. */
  readonly report: (journey: string, seen: object) => Promise<string>;
  /** Settles once none of the hook's processes runs any more. */
  readonly processesGone: () => Promise<true>;
  readonly cleanUp: () => Promise<void>;
}

export interface HeldHookRequest {
  readonly core?: CoreRequest;
  readonly sandboxProfile?: string;
  readonly payload?: object;
}

export async function startHeldHook(request: HeldHookRequest = {}): Promise<HeldHook> {
  const qualification = qualify();
  const endpoint = holdEndpoint();
  const world = makeWorld();
  const script = world.script(
    "held-hook.sh",
    `cat > ${world.root}/event.json\necho "czekam: ${endpoint.url}" >&2\ncurl -sS -m 0 ${endpoint.url}`,
  );
  await declareHook(world, { id: "held-hook", command: [script], on: [{ event: "stop" }] });
  const core = await startCore(world, request.core);
  const dispatch = core.begin("stop", request.payload ?? { session: "held", answer: "done", cwd: world.root });
  await core.progress(dispatch, "czekam");
  await endpoint.requested;
  const hookProcesses = (): readonly SeenProcess[] =>
    processesWith(world.root).filter((one) => one.pid !== core.pid && isOfHook(one));
  const processes = (
    await until("supervisor, shell and curl", () => (hookProcesses().length >= 3 ? hookProcesses() : null))
  ).map((one) => ({
    ...one,
    command: commandOf(one.pid),
  }));
  const birthRecords = assignedRecords(world);
  return {
    world,
    core,
    endpoint,
    dispatch,
    processes,
    birthRecords,
    report: (journey, seen) =>
      report(journey, qualification, seen, {
        world,
        core,
        birthRecords,
        processes,
        profile: request.sandboxProfile ?? null,
      }),
    processesGone: () => until("the hook's processes gone", () => processes.every((one) => !runs(one.pid))),
    cleanUp: async () => {
      core.kill("SIGKILL");
      await core.ended;
      endpoint.close();
      world.remove();
    },
  };
}

/** Idle members of the pool have no shell and no curl; the hook's own supervisor leads the group of both. */
function isOfHook(one: SeenProcess): boolean {
  const command = commandOf(one.pid);
  return /held-hook\.sh|curl/.test(command) || processGroupHasCurl(one);
}

function processGroupHasCurl(leader: SeenProcess): boolean {
  if (leader.group !== leader.pid) return false;
  return processesWith("/held").some((one) => one.group === leader.pid && commandOf(one.pid).startsWith("curl"));
}

/** The records that name a hook, by file name; an idle supervisor's has one line only. */
export function assignedRecords(world: World): Record<string, string> {
  const folder = join(world.home, "in-flight");
  const records: Record<string, string> = {};
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), "utf8");
    if (text.includes('"hook":"')) records[name] = text;
  }
  return records;
}

interface Told {
  readonly world: World;
  readonly core: DrivenCore;
  readonly birthRecords: Readonly<Record<string, string>>;
  readonly processes: HeldHook["processes"];
  readonly profile: string | null;
}

async function report(journey: string, qualification: Qualification, seen: object, told: Told): Promise<string> {
  const { core } = told;
  const ended = await Promise.race([core.ended, Promise.resolve(null)]);
  return writeReport(journey, qualification, {
    command: core.command,
    sandboxProfile: told.profile,
    birthRecords: told.birthRecords,
    recordsAfter: assignedRecords(told.world),
    sent: core.sent,
    frames: core.frames,
    exitCode: ended?.code ?? null,
    signal: ended?.signal ?? null,
    stderr: core.stderr(),
    seen: { ...seen, processes: told.processes },
  });
}
