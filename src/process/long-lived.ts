/**
 * Says that this process lives long enough for compiled code to pay. The program is built to wait with that (build.ts), since most of its
 * processes end after milliseconds, in which a compiler beside them only takes the processor from the hooks.
 */
export function liveLong(): void {
  Bun.unsafe.setJITPolicy(1);
}
