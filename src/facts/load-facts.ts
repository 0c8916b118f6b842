import type { Clock } from "../base/clock.ts";
import type { Facts } from "../gates/gate.ts";
import type { FactLoader } from "../gates/run-gate.ts";
import type { HookEvent } from "../words/event.ts";
import { changedBeside } from "./changed-beside.ts";
import { untilAnswerStands } from "./late-rows.ts";
import { protectedPlaces } from "./protected-places.ts";
import { attestationAt, declaredShells, programFinder } from "./system.ts";
import { ledgerOf, ranLinesOf } from "./transcript-facts.ts";
import { transcriptOf } from "./transcript-reading.ts";

/** Where facts come from: the machine as main.ts knows it. */
export interface FactSources {
  readonly tamaHome: string;
  readonly userHome: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The loader every door of a gate uses. Loads only what the gate asks for. */
export function factLoader(sources: FactSources): FactLoader {
  return async (needs, event, harness) => {
    const wants = new Set(needs);
    if (wants.has("ledger") || wants.has("ranLines")) await untilEndingStands(sources, event, harness);
    const attestation = wants.has("attestation") ? attestationAt(sources.tamaHome) : null;
    if (attestation?.ok === false) return attestation.cause;
    const facts: Facts = {
      ...(wants.has("places") ? { places: protectedPlaces(sources, event) } : {}),
      ...(wants.has("ledger") ? { ledger: await ledgerOf(sources, event, harness) } : {}),
      ...(wants.has("changedBeside") ? { changedBeside: () => changedBeside(sources, event) } : {}),
      ...(attestation === null ? {} : { attestation: attestation.value }),
      ...(wants.has("programThere") ? { programThere: programFinder(sources, event) } : {}),
      ...(wants.has("shells") ? { shells: declaredShells() } : {}),
      ...(wants.has("ranLines") ? { ranLines: () => ranLinesOf(sources, event, harness) } : {}),
    };
    return facts;
  };
}

async function untilEndingStands(sources: FactSources, event: HookEvent, harness: string): Promise<void> {
  const of = event.event === "stop" ? transcriptOf(sources.tamaHome, event, harness) : null;
  if (of !== null && event.event === "stop") await untilAnswerStands(sources.clock, of, event.payload.answer);
}
