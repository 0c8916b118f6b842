/** SHA-256 as 64 hex digits, by the runtime's own hasher: importing node:crypto would cost every start 5 ms (measured). */
export function sha256(text: string | Uint8Array): string {
  return Bun.CryptoHasher.hash("sha256", text, "hex");
}
