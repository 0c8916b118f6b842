import { homedir } from "node:os";
import { type Clock, every } from "../base/clock.ts";
import { sayOnStderr } from "../base/descriptors.ts";
import { type Home, prepareHome } from "../disk/home.ts";
import { sweepTemporaries } from "../disk/replace-file.ts";
import { defectRegisterPath } from "../oko/defect-register.ts";
import { adoptOrphans } from "../process/adopted.ts";
import { scrubbed } from "../process/environment.ts";
import { ownIncarnation } from "../process/identity.ts";
import { platform } from "../process/platform.ts";
import { endLeftBehind } from "../supervision/left-behind.ts";
import { openPool, type Pool } from "../supervision/pool.ts";
import type { HookEvent } from "../words/event.ts";
import type { Answer } from "../words/wire.ts";
import { refusedCanary } from "./canary.ts";
import { type Dispatching, dispatchEvent } from "./dispatch.ts";
import { openOrder } from "./order.ts";
import { openRefusedSends } from "./refused-sends.ts";
import { keyOf, type Owner } from "./repeat/call.ts";
import { openRepeatGate } from "./repeat/gate.ts";
import { homeRecords } from "./repeat/home-records.ts";
import { openSessionRecords } from "./session-record.ts";

/** Everything one core stands on, handed in by main.ts; a harness adapter and the serve loop both open one. */
export interface CoreSetting {
  readonly home: Home;
  readonly harness: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The words that start this very program again: `[execPath]`. */
  readonly program: readonly string[];
  readonly clock: Clock;
}

export interface Core {
  readonly setting: CoreSetting;
  /** Decides one event. Never rejects; an abort answers `cancelled` once every hook of the dispatch is gone. */
  readonly dispatch: (request: DispatchRequest) => Promise<Answer>;
  /** Runs `work` once the record effects of every earlier line of that session are done. */
  readonly inTurn: <T>(owner: Owner, work: () => Promise<T>) => Promise<T>;
  /** Dispatches running now, for `runtime/status`. */
  readonly running: () => readonly RunningDispatch[];
  /** Starts supervisors ahead of need, for a core that lives on. */
  readonly warm: () => void;
  readonly close: () => Promise<void>;
}

export interface DispatchRequest {
  readonly id: string;
  readonly event: HookEvent;
  readonly signal: AbortSignal;
  readonly onProgress: (hook: string, line: string) => void;
}

export interface RunningDispatch {
  readonly dispatch: string;
  readonly event: string;
  readonly session: string | null;
  readonly hooks: readonly string[];
}

export function openCore(setting: CoreSetting): Core {
  const prepared = prepareHome(setting.home);
  if (!prepared.ok) sayOnStderr(`tama: ${prepared.cause}`);
  // A decision without hooks starts no process, so it need not look at the ones that are there.
  let opened: Pool | null = null;
  const pool = (): Pool => (opened ??= poolOf(setting));
  const records = openSessionRecords(setting.home, setting.harness, setting.clock);
  const running = new Map<object, RunningDispatch>();
  let stopWaiting = (): void => {};
  const dispatching: Dispatching = {
    setting,
    get pool() {
      return pool();
    },
    records,
    running,
    order: openOrder(),
    refused: openRefusedSends(),
    environment: scrubbed(setting.environment),
    repeat: openRepeatGate({
      records: homeRecords(
        setting.home,
        defectRegisterPath(setting.environment, setting.environment["HOME"] || homedir(), platform.name === "darwin"),
      ),
      clock: setting.clock,
      harness: setting.harness,
    }),
  };
  return {
    setting,
    dispatch: async (request) => refusedCanary(setting, request.event) ?? (await dispatchEvent(dispatching, request)),
    inTurn: (owner, work) => dispatching.order.inTurn(keyOf(owner), [], work),
    running: () => [...running.values()],
    warm: () => {
      for (const folder of [setting.home.inFlight, setting.home.sessions, setting.home.root]) sweepTemporaries(folder);
      pool().refill();
      // What dead cores left is ended once this core has nothing more urgent; nobody waits for it.
      stopWaiting = every(leftBehindMs, () => {
        void endLeftBehind(setting.home).then((looked) => looked && stopWaiting());
      });
    },
    close: async () => {
      stopWaiting();
      await records.flush();
      await opened?.close();
    },
  };
}

/** Long enough for the first lines of a harness to go first. */
const leftBehindMs = 100;

function poolOf(setting: CoreSetting): Pool {
  const nursery = {
    program: setting.program,
    inFlight: setting.home.inFlight,
    core: ownIncarnation(),
    adoption: adoptOrphans({ spared: [], sparesOwnSession: true }),
    environment: scrubbed(setting.environment),
  };
  return openPool(nursery, setting.clock);
}
