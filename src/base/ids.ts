/** Names that cross a border once and are then trusted: only the functions here make one. */
export type BirthId = string & { readonly __brand: "BirthId" };
export type RefusalId = string & { readonly __brand: "RefusalId" };

/** A birth stamp is 128 random bits: two supervisors never share one, also after a pid comes round again. */
export function newBirthId(): BirthId {
  return randomHex(16) as BirthId;
}

/** Short enough to type after `tama why`; 50 bits keep two refusals of one machine apart. */
export function newRefusalId(): RefusalId {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  return `r-${[...crypto.getRandomValues(new Uint8Array(10))].map((byte) => alphabet[byte % 32]).join("")}` as RefusalId;
}

/** Twelve hex digits that keep two temporary names apart. */
export function newMark(): string {
  return randomHex(6);
}

/** The runtime's own random bytes: importing node:crypto would cost every start 5 ms. */
function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
}
