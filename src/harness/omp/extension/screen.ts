import { writeSync } from "node:fs";
import { plain } from "./fields.ts";
import { type Context, hasWindow } from "./host.ts";

const widgetLines = 6;

/**
 * What a person is told. In a window a hook's lines stand in a widget above the editor and the newest one in the status line below it;
 * elsewhere they go to stderr. Nothing here is ever a reason to fail.
 */
export class Screen {
  /** The newest context with a window; what comes without a context of its own is shown there. */
  window: Context | null = null;
  #lines: string[] = [];
  #deciding = 0;

  /** One line of a hook, the core or the adapter. */
  say(context: Context | null, line: string): void {
    this.sayWhole(context, `tama: ${line}`);
  }

  sayWhole(context: Context | null, line: string): void {
    // A subagent has no window of its own, and its lines on stderr would be drawn over the person's.
    const shown = context !== null && hasWindow(context) ? context : this.window;
    try {
      if (shown === null) {
        writeSync(2, `${plain(line)}\n`);
        return;
      }
      this.#lines = [...this.#lines, plain(line)].slice(-widgetLines);
      shown.ui.setStatus("tama", plain(line));
      shown.ui.setWidget?.("tama", this.#lines, { placement: "aboveEditor" });
    } catch {
      // Nobody listens any more.
    }
  }

  /** Something is being decided; the lines of what was decided before make room for its own. */
  begin(): void {
    if (this.#deciding === 0) this.#lines = [];
    this.#deciding += 1;
  }

  /** It was decided: the status line is free again, the last lines stay until something else is decided or the person writes. */
  end(context: Context): void {
    this.#deciding -= 1;
    const shown = hasWindow(context) ? context : this.window;
    if (this.#deciding === 0) this.#quietly(() => shown?.ui.setStatus("tama", undefined));
  }

  /** In a window, the line below the editor. */
  status(text: string): void {
    this.#quietly(() => this.window?.ui.setStatus("tama", plain(text)));
  }

  /** Takes the widget away. */
  clear(context: Context): void {
    if (this.#lines.length === 0) return;
    this.#lines = [];
    if (hasWindow(context)) this.#quietly(() => context.ui.setWidget?.("tama", undefined));
  }

  /** What an answer says to the person. */
  note(context: Context, notes: string | null): undefined {
    if (notes === null) return;
    if (hasWindow(context)) this.#quietly(() => context.ui.notify(plain(notes), "info"));
    else this.say(context, notes);
  }

  #quietly(show: () => void): void {
    try {
      show();
    } catch {
      // Nobody listens any more.
    }
  }
}
