/** What a tool's result says about the call: whether it ran, and how it ended (design: gates, "A failure"). */
export type Meaning =
  | { readonly kind: "succeeded" }
  | { readonly kind: "failed"; readonly readFirst?: boolean }
  | { readonly kind: "interrupted" }
  | { readonly kind: "never-ran" };

export interface CallResult {
  readonly harness: string;
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
  readonly details?: unknown;
}

export function resultMeaning(result: CallResult): Meaning {
  return result.isError ? { kind: "failed" } : { kind: "succeeded" };
}
