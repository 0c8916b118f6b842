import { field, isFields, plain } from "./fields.ts";
import type { Context } from "./host.ts";

/** A line over the window's top while something is decided. */
export interface Overlay {
  readonly close: () => void;
  /** Shows another line. */
  readonly show: (line: string) => void;
}

/**
 * OMP stops the clock of a tool call's handler while that handler shows something. The overlay says in one line what is waited for and
 * takes no keys: OMP gives an overlay the keys only when it can be seen in the moment it is made, or when it does not own the place the
 * keys go to (`ownsOverlayFocusTarget`, measured in OMP 18.2); so typing, and Esc, stay with the editor. Its promise is rejected when the
 * person interrupts the run.
 */
export function openOverlay(context: Context, line: string, interrupted: () => void): Overlay {
  let close = (): void => {};
  let draw = (): void => {};
  let over = false;
  let seen = false;
  let text = line;
  const component = {
    render: (width: number): string[] => [`\u001b[7m${fitted(text, width)}\u001b[27m`],
    handleInput: (): void => {},
    invalidate: (): void => {},
    ownsOverlayFocusTarget: (): boolean => true,
  };
  const open = (tui: unknown, _theme: unknown, _keys: unknown, done: (value: unknown) => void): object => {
    close = () => keepingFocus(tui, () => done(undefined));
    draw = () => void asked(tui, "requestRender");
    if (over) close();
    return component;
  };
  const overlayOptions = { anchor: "top-center", width: "100%", maxHeight: 1, margin: 0, visible: () => seen };
  const onHandle = (): void => {
    seen = true;
    draw();
  };
  const shown = context.ui.custom(open, { overlay: true, overlayOptions, onHandle });
  Promise.resolve(shown).catch(() => (over ? undefined : interrupted()));
  return {
    close: () => {
      over = true;
      close();
    },
    show: (next) => {
      text = next;
      if (seen && !over) draw();
    },
  };
}

/** OMP gives the keys to the editor when an overlay closes; but the person may have opened a list or a dialog meanwhile. */
function keepingFocus(tui: unknown, close: () => void): void {
  const focused = asked(tui, "getFocused");
  close();
  if (isFields(focused) && asked(tui, "getFocused") !== focused) asked(tui, "setFocus", focused);
}

function asked(tui: unknown, method: string, ...given: unknown[]): unknown {
  const found = field(tui, method);
  return typeof found === "function" ? Reflect.apply(found, tui, given) : undefined;
}

/** Exactly as wide as the window: OMP fails on a line that is wider. Only letters whose width is known. */
function fitted(text: string, width: number): string {
  return ` ${plain(text).replace(/[^\u0020-\u007e]/g, "?")}`.slice(0, Math.max(1, width)).padEnd(width);
}
