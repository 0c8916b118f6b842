import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A hook that stands for a gate: what it says, and when, is the test's. */
export interface HeldHook {
  readonly id: string;
  /** The events it was asked about so far. */
  readonly asked: () => Record<string, unknown>[];
  /** Answers what it is asked now, or next, once: "pass", "context <text>", or the reason of a refusal. */
  readonly answer: (verdict: string) => void;
  /** Whether the last answer was taken by a hook that was asked; a hook that is given up meanwhile leaves it to the next. */
  readonly heard: () => boolean;
  /** Answers everything so from now on. */
  readonly always: (verdict: string | null) => void;
}

/** The hook's script and its handle; its files lie in `folder`. `said` is printed on stderr when it begins to wait. */
export function heldHook(folder: string, id: string, said = ""): { readonly script: string; readonly hook: HeldHook } {
  const path = (what: string): string => join(folder, `${id}.${what}`);
  const answered = (what: string): string => `if [ -e '${path(what)}' ]; then verdict=$(cat '${path(what)}')`;
  const script = `event=$(cat)
printf '%s\\n' "$event" >> '${path("asked")}'
verdict=
say=1
while [ -z "$verdict" ]; do
  ${answered("once")}; rm '${path("once")}'
  el${answered("always")}
  else
    ${said === "" ? ":" : `[ -z "$say" ] || echo '${said}' >&2; say=`}
    sleep 0.1
  fi
done
case "$verdict" in
  pass) exit 0;;
  context*) printf '{"context":"%s"}' "\${verdict#context }"; exit 0;;
  *) printf '{"decision":"block","reason":"%s"}' "$verdict"; exit 0;;
esac
`;
  const hook: HeldHook = {
    id,
    asked: () => {
      if (!existsSync(path("asked"))) return [];
      const lines = readFileSync(path("asked"), "utf8").split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line));
    },
    // Whole at once: a hook that looks in between would take an empty answer.
    answer: (verdict) => {
      writeFileSync(path("next"), verdict);
      renameSync(path("next"), path("once"));
    },
    heard: () => !existsSync(path("once")),
    always: (verdict) =>
      verdict === null ? rmSync(path("always"), { force: true }) : writeFileSync(path("always"), verdict),
  };
  return { script, hook };
}
