import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A program in a real terminal: tmux, in a server of its own, so that a test can type and see the screen as a person does. */
export interface TerminalWindow {
  /** Types a line and sends it. */
  readonly type: (line: string) => Promise<void>;
  /** Presses one key by tmux's name for it: Escape, Enter, C-c. */
  readonly press: (key: string) => Promise<void>;
  /** Types without sending. */
  readonly write: (text: string) => Promise<void>;
  readonly screen: () => Promise<string>;
  /** Waits until the screen shows it, and gives that screen; throws the last screen when it never does. */
  readonly until: (shows: string | RegExp | ((screen: string) => boolean), what?: string) => Promise<string>;
  /** Keeps what the screen shows now as a test report, under a name that says which moment it is. */
  readonly keep: (moment: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

export const hasTerminal: boolean = Bun.which("tmux") !== null;

let windows = 0;

export async function openWindow(
  command: readonly string[],
  given: { cwd: string; environment: Readonly<Record<string, string>> },
): Promise<TerminalWindow> {
  const socket = `tama-test-${process.pid}-${++windows}`;
  const set = Object.entries(given.environment).map(([name, value]) => `${name}=${value}`);
  const program = ["env", "-i", "TERM=xterm-256color", ...set, ...command].map(quoted).join(" ");
  await tmux(socket, "-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", "-c", given.cwd, program);
  const screen = (): Promise<string> => tmux(socket, "capture-pane", "-p");
  const press = async (key: string): Promise<void> => void (await tmux(socket, "send-keys", key));
  const write = async (text: string): Promise<void> => void (await tmux(socket, "send-keys", "-l", text));
  const opened: TerminalWindow = {
    screen,
    press,
    write,
    type: async (line) => {
      // Once more than before: the words of a short line may stand on the screen already, in the folder's name for one.
      const end = line.slice(-20);
      const before = timesShown(await screen(), end);
      await write(line);
      await opened.until((now) => timesShown(now, end) > before, `"${line}" typed`);
      await enter(socket);
    },
    until: async (shows, what = String(shows)) => {
      const giveUp = performance.now() + 60_000;
      for (;;) {
        const now = await screen();
        if (isShown(now, shows)) return now;
        if (performance.now() > giveUp) throw new Error(`in a minute the screen did not show ${what}:\n${now}`);
        await Bun.sleep(50);
      }
    },
    keep: async (moment) => {
      const now = await screen();
      writeFileSync(join(reports(), `omp ${moment}.screen.txt`), now);
      return now;
    },
    close: async () => void (await tmux(socket, "kill-server").catch(() => {})),
  };
  return opened;
}

/**
 * Presses Enter until the editor has taken the line, which moves the cursor back towards the left edge and leaves it there: a program that
 * has just drawn its editor may not listen to it yet. Only the column tells, since a line drawn above moves the editor down with what stands
 * in it; and only a few looks together, since the cursor wanders while the screen is drawn. Another Enter in an empty editor does nothing.
 */
async function enter(socket: string): Promise<void> {
  const column = async (): Promise<number> => Number(await tmux(socket, "display-message", "-p", "#{cursor_x}"));
  const full = await column();
  for (let press = 0; press < 20; press++) {
    await tmux(socket, "send-keys", "Enter");
    for (let look = 0, away = 0; look < 40; look++) {
      away = (await column()) === full ? 0 : away + 1;
      if (away === 4) return;
      await Bun.sleep(50);
    }
  }
  throw new Error("Enter was pressed twenty times and the editor kept its line");
}

function isShown(screen: string, shows: string | RegExp | ((screen: string) => boolean)): boolean {
  if (typeof shows === "string") return screen.includes(shows);
  return typeof shows === "function" ? shows(screen) : shows.test(screen);
}

function timesShown(screen: string, text: string): number {
  return screen.split(text).length - 1;
}

async function tmux(socket: string, ...words: string[]): Promise<string> {
  const child = Bun.spawn(["tmux", "-L", socket, ...words], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`tmux ${words[0]} exited ${code}: ${stderr}`);
  return stdout;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

let folder: string | null = null;

/** TAMA_TEST_REPORTS, else a temporary folder that is named once. */
function reports(): string {
  if (folder !== null) return folder;
  const named = process.env["TAMA_TEST_REPORTS"];
  folder = named ?? mkdtempSync(join(tmpdir(), "tama-reports-"));
  mkdirSync(folder, { recursive: true });
  if (named === undefined) console.error(`omp: the screens are kept in ${folder}`);
  return folder;
}
