/**
 * Says that this process lives long enough for compiled code to pay. The program is built to wait with that (build.ts), since most of its
 * processes end after milliseconds, in which a compiler beside them only takes the processor from the hooks.
 */
export function liveLong(): void {
  Bun.unsafe.setJITPolicy(1);
}

/**
 * The environment of a process of ours that works for some seconds on what differs all the time. What the last of the compilers gives does
 * not earn back there what it costs (measured: a third of a replay's time), nor does it to compile any but the smallest functions once
 * more within each of their callers (a twentieth). What is left compiles quickly, so it begins after half as many runs (a tenth).
 */
export const compilingLittle: Readonly<Record<string, string>> = {
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_maximumFunctionForCallInlineCandidateBytecodeCostForDFG: "12",
  BUN_JSC_jitPolicyScale: "0.5",
};
