import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { simpleCommands } from "./simple-commands.ts";

/** Words of each command, `·` for what only the shell knows, and its marks: `>` file, `&` background, `$` substituted, `|` fed. */
function shown(line: string): readonly string[] | null {
  const commands = simpleCommands(line);
  if (commands === null) return null;
  return commands.map((command) => {
    const marks = [
      command.redirectsToFile ? ">" : "",
      command.background ? "&" : "",
      command.substituted ? "$" : "",
      command.fed ? "|" : "",
    ].join("");
    return `${command.words.join(" ").replaceAll("\0", "·")}${marks === "" ? "" : ` ${marks}`}`;
  });
}

const LINES: readonly (readonly [string, readonly string[] | null])[] = [
  ["", []],
  ["# comment", []],
  ["A=1", []],
  ["ls", ["ls"]],
  ["A=1 B=2 ls -l", ["ls -l"]],
  ["a | b |& c", ["a", "b |", "c |"]],
  ["a && b || c; d", ["a", "b", "c", "d"]],
  ["a & b", ["a &", "b"]],
  ["(a; b) &", ["a &", "b &"]],
  ["! a", ["a"]],
  ["time -p a", ["a"]],
  ["a $(b $(c)) `d`", ["a · · $", "b · $", "c $", "d $"]],
  ["a <(b) >(c)", ["a · · $", "b $", "c $"]],
  ["x=$(a)", ["a $"]],
  [`a \${x:-$(b)}`, ["a · $", "b $"]],
  ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
  ["while a; do b; done < in", ["a", "b"]],
  ["for x in $(a); do b $x; done > out", [" >", "a $", "b ·"]],
  ["case $x in a) b;; *) c;; esac", ["b", "c"]],
  ["f() { a; }; f x", ["a"]],
  ["f() { a; }; f > x", ["a", "f >"]],
  ["[[ -f $(a) ]] && (( 1 + $(b) ))", ["[[", "a $", "((", "b $"]],
  ["cat <<EOF\nrm x\n$(a)\nEOF", ["cat $", "a $"]],
  ["cat <<'EOF'\n$(a)\nEOF", ["cat"]],
  ["bash -c 'a | b' 2>/dev/null", ["a", "b |"]],
  ["bash -lc 'a > x'", ["a >"]],
  ["bash -c 'a' > x", [" >", "a"]],
  ["bash -o pipefail -c 'a'", ["a"]],
  ["bash x.sh -c 'a'", ["bash x.sh -c a"]],
  ['bash -c "$X"', ["bash -c ·"]],
  ["bash -c 'if'", ["bash -c if"]],
  ["eval a b '| c'", ["a b", "c |"]],
  ["trap 'a' EXIT; trap - EXIT", ["a", "trap - EXIT"]],
  ["ssh box 'a; b'", ["ssh box a; b"]],
  ["env -i A=1 -u B timeout -k 5 10s nice -n 5 sudo -u bob nohup a b", ["a b"]],
  ["env -S 'a b'", ["a b"]],
  ["env", ["env"]],
  ["sudo -l", ["sudo -l"]],
  ["command -v a", ["command -v a"]],
  ["command a", ["a"]],
  ["exec a", ["a"]],
  ["xargs -0 -n1 -I{} a {}", ["a {} ·"]],
  ["find . | xargs -r sh -c 'a \"$@\"' _", ["find .", "a · |"]],
  ["find . -exec a {} \\; -exec b {} +", ["find . -exec a {} ; -exec b {} +", "a {}", "b {}"]],
  ["fd x -x a {}", ["fd x -x a {}", "a {}"]],
  ["watch -n 5 'a | b'", ["a", "b |"]],
  ["tama wait --session s -- a b", ["a b"]],
  ["tama wait -- 'a b; c | d'", ["a b", "c", "d |"]],
  ["tama calls failed", ["tama calls failed"]],
  ["> x", [" >"]],
  ["a 2>&1 >/dev/null <x", ["a"]],
  ['ls {a,b} *.ts "$D/x" --o=$F', ["ls · *.ts ·/x --o=·"]],
  ["declare -A m=([a]=$(x))", ["declare -A m=· $", "x $"]],
  ["'unterminated", null],
  ["if a", null],
  ["a )", null],
  ["a $(b", null],
];

describe("the simple commands of a line", () => {
  for (const [line, wanted] of LINES) test(line, () => expect(shown(line)).toEqual(wanted));

  test("wrappers and assignments are named", () => {
    const [command] = simpleCommands("A=1 env B=2 sudo ls") ?? [];
    expect(command?.wrappers).toEqual(["env", "sudo"]);
    expect(command?.assigned).toEqual(["A=1", "B=2"]);
  });
});

describe("lines made to break it", () => {
  const pieces = [
    "(",
    "$(",
    "`",
    '"$(',
    "{ ",
    "a|",
    "a&&",
    "a;",
    "if ",
    "<(",
    "${a:-",
    "cat <<A\n",
    "((",
    "[[ ",
    "f(){ ",
    "\\`",
    "'",
    "eval ",
    "bash -c '",
    "case a in a) ",
  ];

  test("no line throws, whatever is in it", () => {
    const fragments = fc.oneof(
      fc.string(),
      fc.constantFrom(...pieces, "\n", "EOF", " ", "-c", "x", "}", ")", "fi", "done", ";;", "\0", "\ud800"),
    );
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 40 }), (parts) => {
        const commands = simpleCommands(parts.join(""));
        expect(commands === null || Array.isArray(commands)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("a line over a mebibyte is not read", () => {
    expect(simpleCommands(`echo ${"a".repeat(1 << 20)}`)).toBeNull();
  });

  for (const piece of [
    ...pieces,
    "$(a) ",
    "`a` ",
    "env ",
    "xargs ",
    "sudo -u a ",
    "find -exec ",
    "-exec a \\; ",
    "{a,b}",
    "A=1 ",
  ]) {
    test(`time grows in step with the size of many ${JSON.stringify(piece)}`, () => {
      const time = (length: number): number => {
        const line = `find ${piece.repeat(Math.floor(length / piece.length))}`;
        const start = performance.now();
        simpleCommands(line);
        return performance.now() - start;
      };
      const size = 1 << 18;
      time(size / 8);
      const small = Math.min(time(size / 4), time(size / 4));
      // Four times the size: a quadratic walk takes sixteen times as long. The constant covers what is too quick to compare.
      expect(time(size)).toBeLessThan(12 * small + 500);
    }, 60_000);
  }

  test("deep and wide nesting is unknown, not the end of the program", () => {
    expect(simpleCommands("echo $(".repeat(1000) + ")".repeat(1000))).toBeNull();
    let nested = "rm x";
    for (let depth = 0; depth < 20; depth++) nested = `eval ${JSON.stringify(nested)}`;
    expect(() => simpleCommands(nested)).not.toThrow();
    const wide = `echo ${"$(a $(b $(c))) ".repeat(5_000)}`;
    expect(simpleCommands(wide)?.length).toBe(15_001);
  }, 60_000);
});
