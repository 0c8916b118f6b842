/**
 * Cuts a byte stream into lines at 0x0A only: other readers also cut at U+2028, which is legal inside a JSON string.
 * Holds at most `max` bytes of an unfinished line; a longer one is reported once by its length and its bytes are let go.
 */
export class LineCutter {
  readonly #max: number;
  #parts: Uint8Array[] = [];
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** The lines that `chunk` completes, without their newline. `null` stands for a line longer than the limit. */
  push(chunk: Uint8Array): (Buffer | null)[] {
    const lines: (Buffer | null)[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.#hold(chunk.subarray(from, at));
      lines.push(this.#take());
      from = at + 1;
    }
    // Copied: the rest outlives the chunk, which its giver may fill anew.
    this.#hold(Buffer.from(chunk.subarray(from)));
    return lines;
  }

  /** What stands after the last newline, or undefined when nothing does. */
  rest(): Buffer | null | undefined {
    return this.#held === 0 ? undefined : this.#take();
  }

  #hold(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#held += part.length;
    if (this.#held > this.#max) this.#parts = [];
    else this.#parts.push(part);
  }

  #take(): Buffer | null {
    const line = this.#held > this.#max ? null : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#held = 0;
    return line;
  }
}
