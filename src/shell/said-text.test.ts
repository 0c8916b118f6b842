import { expect, test } from "bun:test";
import { type Command, parse } from "unbash";
import { saidText } from "./said-text.ts";

function said(line: string, fed: string | null = null): string | null {
  const command = parse(line).commands[0]?.command;
  if (command?.type !== "Command") throw new Error(`no command: ${line}`);
  return saidText(command satisfies Command, fed);
}

test("what a command prints, where its line says it", () => {
  const lines: readonly (readonly [string, string | null])[] = [
    ["echo a  'b c'", "a b c\n"],
    ["echo -n a", "a"],
    ["echo -e 'a\\tb\\n'", "a\tb\n\n"],
    ["echo 'a\\tb'", "a\\tb\n"],
    ["echo -- -n", "-- -n\n"],
    ["printf '%s' 'git push'", "git push"],
    ["printf '%s\\n' a b", "a\nb\n"],
    ["printf 'a %s b %s;' x y z", "a x b y;a z b ;"],
    ["printf 'a\\x41\\101%%'", "aAA%"],
    ["printf -- '%b' 'a\\n'", "a\n"],
    ["printf '%5d' 3", null],
    ["printf '%q' 'a b'", null],
    ["command echo a", "a\n"],
    ["cat <<'EOF'\na $b\nEOF", "a $b\n"],
    ["cat <<-EOF\n\ta\n\tEOF\n", "a\n"],
    ["cat - <<< 'a b'", "a b\n"],
    ["cat <<EOF\na $b\nEOF", null],
    ["cat file", null],
    ["cat < file", null],
    ['echo "$A"', null],
    ["ls", null],
  ];
  for (const [line, text] of lines) expect([line, said(line)]).toEqual([line, text]);
  expect(said("cat", "fed")).toBe("fed");
  expect(said("cat < file", "fed")).toBeNull();
});
