/**
 * What an ending attests, word for word, where the operator put no `attestation.md` of their own under TAMA_HOME: said by whoever ends, so
 * that what is not so cannot be passed over in silence.
 */
export const attestation: readonly string[] = [
  "I stopped at no limit that nobody set me: neither time, nor context, nor effort.",
  "I hand back no decision that was mine to make.",
  "Nothing I call a blocker is work that I could have done myself.",
];

/** The lines an attestation file holds: every line with words in it, headings left out. */
export function attestationLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}
