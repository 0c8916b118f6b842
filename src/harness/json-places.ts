/** Where a value lies in a JSON text: offsets of its first character and past its last, and the places of what it holds. */
export interface Place {
  readonly from: number;
  readonly to: number;
  /** Of an object. A key that stands twice means its last value, as JSON.parse has it. */
  readonly members: readonly Member[];
  /** Of an array. */
  readonly items: readonly Place[];
}

export interface Member {
  readonly key: string;
  /** Where the key's quote begins. */
  readonly from: number;
  readonly value: Place;
}

/** The text with each comment blanked, so that JSON.parse takes it and every offset stays. */
export function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
    found.startsWith('"') ? found : found.replace(/[^\r\n]/g, " "),
  );
}

/**
 * The places of a text that JSON.parse takes, apart from comments (ask it first: here nothing is checked again). Own code, since a parser
 * that reports places is all that is needed to change a person's file without reformatting it.
 */
export function placesOf(json: string): Place {
  return new Reader(json).value();
}

export function memberOf(place: Place, key: string): Member | undefined {
  return place.members.findLast((member) => member.key === key);
}

class Reader {
  readonly #json: string;
  #at = 0;

  constructor(json: string) {
    this.#json = json;
  }

  value(): Place {
    this.#skipSpace();
    const from = this.#at;
    const first = this.#json[from];
    const inside = { members: [] as Member[], items: [] as Place[] };
    if (first === "{") this.#each("}", () => inside.members.push(this.#member()));
    else if (first === "[") this.#each("]", () => inside.items.push(this.value()));
    else if (first === '"') this.#string();
    else while (this.#at < this.#json.length && !/[\s,\]}/]/.test(this.#json.charAt(this.#at))) this.#at++;
    return { from, to: this.#at, ...inside };
  }

  #member(): Member {
    this.#skipSpace();
    const from = this.#at;
    this.#string();
    const key = String(JSON.parse(this.#json.slice(from, this.#at)));
    this.#skipSpace();
    this.#at++;
    return { key, from, value: this.value() };
  }

  /** Everything between the brackets; `read` takes one element, commas are passed. */
  #each(close: string, read: () => void): void {
    this.#at++;
    for (;;) {
      this.#skipSpace();
      const next = this.#json[this.#at];
      if (next === close || next === undefined) break;
      if (next === ",") this.#at++;
      else read();
    }
    this.#at++;
  }

  #string(): void {
    this.#at++;
    while (this.#at < this.#json.length && this.#json[this.#at] !== '"')
      this.#at += this.#json[this.#at] === "\\" ? 2 : 1;
    this.#at++;
  }

  #skipSpace(): void {
    const comment = /[\s\ufeff]+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
    for (comment.lastIndex = this.#at; comment.test(this.#json); ) this.#at = comment.lastIndex;
  }
}
