/** What a gate or a hook decided. A refusal judged something; a fault judged nothing and refuses all the same (contract 3.3). */
export type Verdict =
  | { readonly kind: "pass"; readonly context?: string; readonly notes?: string }
  | { readonly kind: "refuse"; readonly reason: string; readonly refusal?: Refusal }
  | { readonly kind: "fault"; readonly cause: string };

/** The three things every refusal says, and what it quotes. */
export interface Refusal {
  readonly what: string;
  readonly why: string;
  readonly instead: string;
  readonly evidence?: string;
}

/** The sentence a harness sees for a fault (contract 3.3). */
export function infrastructure(subject: string, cause: string): string {
  return `TAMA_HOOK_INFRASTRUCTURE: ${subject}: ${cause}`;
}
