import { firstLine } from "../base/printable.ts";
import type { Answer } from "../words/wire.ts";
import type { Call } from "./repeat/call.ts";

/**
 * Calls this core refused. Some harnesses tell a refusal back as the tool's failing result; it is no failure of the call, so nothing is
 * kept or settled for it (contract 3.1). Found by the harness's call id, by the refusal's own words only where there is none.
 */
export interface RefusedSends {
  /** Remembers a refused send, and forgets an earlier one whose id the harness uses again. */
  readonly note: (key: string, call: Call, answer: Answer) => void;
  readonly isAnswerToOne: (key: string, call: Call, text: string) => boolean;
}

export function openRefusedSends(): RefusedSends {
  const sends = new Map<string, string>();
  const nameOf = (key: string, call: Call): string => JSON.stringify([key, call.tool, call.harnessCall ?? call.id]);
  return {
    note: (key, call, answer) => {
      const name = nameOf(key, call);
      sends.delete(name);
      if (!answer.ok || answer.verdict === "pass") return;
      sends.set(name, firstLine(answer.reason));
      const oldest = sends.keys().next().value;
      if (sends.size > sendsMax && oldest !== undefined) sends.delete(oldest);
    },
    isAnswerToOne: (key, call, text) => {
      const said = sends.get(nameOf(key, call));
      return said !== undefined && (call.harnessCall !== null || text.includes(said));
    },
  };
}

/** A result follows its call at once; far fewer are ever open. */
const sendsMax = 4096;
