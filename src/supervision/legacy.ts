import { done, failed, type Result } from "../base/result.ts";
import { listByPs, type PsProcess } from "../process/ps.ts";
import type { InspectedHook } from "./inspection.ts";

/**
 * Records from before births were kept name a pid only. They still need the system's own listing, which a sandbox may deny; the refusal
 * then names that interface and its failure. Records with a birth never need it.
 */
export interface LegacyProcesses {
  readonly inspect: (path: string, record: LegacyRecord, remove: () => Result<void>) => Result<InspectedHook | null>;
}

interface LegacyRecord {
  readonly pid: number;
  readonly pgid: number | null;
  readonly start: string | null;
  readonly hook: string | null;
  readonly command: string | null;
  readonly session: string | null;
  readonly dispatch: string | null;
}

/** Lists processes once, and only when a legacy record is met. */
export function inspectLegacy(): LegacyProcesses {
  let listed: Result<readonly PsProcess[]> | null = null;
  return {
    inspect: (path, record, remove) => {
      listed ??= listByPs();
      if (!listed.ok) return failed(`cannot inspect the legacy record ${path}: ${listed.cause}`);
      const found = listed.value.find((one) => one.pid === record.pid);
      const recycled = found !== undefined && record.start !== null && found.start !== record.start;
      if (found === undefined || recycled) {
        const removed = remove();
        return removed.ok ? done(null) : removed;
      }
      const descendants = descendantsOf(found.pid, listed.value);
      return done({
        ...record,
        hookBirthIdentity: null,
        ownershipState: "legacy",
        coreAlive: null,
        pgid: record.pgid ?? found.group,
        start: null,
        descendants,
        progress: [],
      });
    },
  };
}

function descendantsOf(pid: number, all: readonly PsProcess[]): InspectedHook["descendants"] {
  const children = all.filter((one) => one.parent === pid);
  return children.flatMap((one) => [
    { pid: one.pid, start: one.start, command: one.command },
    ...descendantsOf(one.pid, all),
  ]);
}
