/** The short session that `tama try` plays: an agent's calls, what answered them, and what a person should notice. */
export interface Scene {
  readonly title: string;
  readonly call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
  /** What the tool answers when the call is admitted. */
  readonly result?: { readonly isError: boolean; readonly text: string };
  readonly expect: "pass" | "refuse";
  readonly explain: string;
}

const test = { tool: "bash", input: { command: "npm test" } } as const;
const red = {
  isError: true,
  text: "1 failed\n\n  parse › keeps an empty line\n    expected 2 lines, got 1\n\nCommand exited with code 1",
} as const;

export const story: readonly Scene[] = [
  {
    title: "The agent runs the tests.",
    call: test,
    result: red,
    expect: "pass",
    explain: "Nothing speaks against a first call. It failed, so its whole answer is kept for this session.",
  },
  {
    title: "It runs them again, unchanged.",
    call: test,
    expect: "refuse",
    explain:
      "Nothing happened that could change the answer, so the agent is handed the answer it already got, and the ways out.",
  },
  {
    title: "It looks around, which changes nothing …",
    call: { tool: "bash", input: { command: "git status --short && ls -la" } },
    result: { isError: false, text: "?? notes.txt" },
    expect: "pass",
    explain: "A look is no change: the held call stays held.",
  },
  {
    title: "… and edits the source.",
    call: {
      tool: "write",
      input: { path: "src/parse.ts", content: "export const parse = (text: string) => text.split('\\n');\n" },
    },
    result: { isError: false, text: "ok" },
    expect: "pass",
    explain: "A successful write may change every answer: all kept calls are released.",
  },
  {
    title: "The tests once more.",
    call: test,
    result: { isError: false, text: "12 passed" },
    expect: "pass",
    explain: "The same words, but the world changed. It succeeded, so it is forgotten.",
  },
  {
    title: "It tries to force-push over its colleagues' work.",
    call: { tool: "bash", input: { command: "git push --force origin main" } },
    expect: "refuse",
    explain:
      "That was a hook of your own: six lines of shell, run in a process group that Tama owns and ends, whatever the hook does.",
  },
];

/** The person's own hook of the story, under Tama's hook contract. */
export const ownHook = `#!/bin/sh
# Reads the event on stdin; exit 2 refuses with the reason on stderr.
case "$(cat)" in
  *"push --force"*) echo "BLOCKED: force-pushing rewrites what others built on. Push to a branch and open a review instead." >&2; exit 2 ;;
esac
exit 0
`;
