import { expect, test } from "bun:test";
import { typedInputRefusal } from "./typed-input.ts";

const doors = [
  "bash",
  "sh -i",
  "/bin/zsh -l",
  "cd /tmp && bash",
  "env -i FOO=1 bash --norc",
  "exec sh",
  "sudo -i",
  "sudo bash",
  "su",
  "python3",
  "python3 -i setup.py",
  "node",
  "ssh host",
  "ssh -t host",
  "docker exec -it box bash",
  "kubectl exec -it pod -- sh",
  "psql",
  "tmux",
  "script -q /dev/null",
  "vim notes.txt",
  "$SHELL",
  "bash --rcfile x",
];

const fine = [
  "ls -la",
  "bash build.sh",
  "bash -c 'make all'",
  "sh -c 'echo hi'",
  "python3 setup.py install",
  "python3 -m http.server",
  "python3 -c 'print(1)'",
  "node --version",
  "node -e 'x()'",
  "ssh host 'ls'",
  "docker exec -it box ls",
  "docker run -it box npm test",
  "psql -c 'select 1'",
  "sudo apt-get update",
  "git log | head",
  "echo x | bash",
  "npm run watch",
];

for (const line of doors)
  test(`in a terminal, or where Codex does not say, ${line} is a door`, () => {
    expect(typedInputRefusal(line, true)?.what).toContain("write_stdin");
    expect(typedInputRefusal(line, null)).not.toBeNull();
    expect(typedInputRefusal(line, false)).toBeNull();
  });

for (const line of fine)
  test(`${line} is none`, () => {
    expect(typedInputRefusal(line, true)).toBeNull();
    expect(typedInputRefusal(line, null)).toBeNull();
  });

test("a line that cannot be parsed is a door only where a terminal was asked for", () => {
  expect(typedInputRefusal("if then ((", true)).not.toBeNull();
  expect(typedInputRefusal("if then ((", null)).toBeNull();
});

test("a program that gets its input from the line takes nothing typed, as far as can be seen", () => {
  expect(typedInputRefusal("python3 - <<'EOF'\nprint(1)\nEOF", null)).toBeNull();
});
