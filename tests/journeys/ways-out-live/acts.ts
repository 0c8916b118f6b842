import { attestation } from "../../../src/gates/attestation.ts";
import type { Act } from "./seat.ts";

export const shell = (line: string): Act => ({ shell: line });
export const write = (name: string, content: string): Act => ({ write: [name, content] });
export const read = (name: string): Act => ({ read: name });
export const say = (words: string): { readonly say: string } => ({ say: words });

/** An ending that carries what the preset wants said. */
export const attested = (words: string): { readonly say: string } => say(`${words}\n\n${attestation.join("\n")}`);
