import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { knownCommands, simpleCommands } from "./simple-commands.ts";

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
  ["bash <<'EOF'\na | b\nEOF", ["a", "b |"]],
  ["sh -s x <<< 'a; b'", ["a", "b"]],
  ["cat <<-EOF | sudo bash -x\n\ta\n\tEOF\n", ["cat", "a |"]],
  ["echo 'a; b' | sh", ["echo a; b", "a |", "b |"]],
  ["printf '%s\\n' a 'b c' | bash -", ["printf %s\\n a b c", "a |", "b c |"]],
  [
    'echo "$X" | sh; echo a | sh x.sh; echo a | cat | sh',
    ["echo ·", "sh |", "echo a", "sh x.sh |", "echo a", "cat |", "a |"],
  ],
  ["bash -c 'a' <<< b", ["a"]],
  ["a; and b; or not c", ["a", "b", "c"]],
  ["flock -w 5 /l a b", ["flock -w 5 /l a b", "a b"]],
  ["script -qc 'a; b' /dev/null", ["script -qc a; b /dev/null", "a", "b"]],
  ["strace -f -o t a b", ["strace -f -o t a b", "a b"]],
  ["parallel -j2 a b ::: x y", ["parallel -j2 a b ::: x y", "a b x", "a b y"]],
  ["parallel a {}.b ::: x ::: y", ["parallel a {}.b ::: x ::: y", "a {}.b ·"]],
  ["parallel a {}.b ::: x", ["parallel a {}.b ::: x", "a x.b"]],
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
  ["xargs -0 -n1 -I{} a {}", ["a {}"]],
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

describe("what a reader may know besides", () => {
  const known = (line: string): readonly string[] =>
    knownCommands(line, new Map([["HOME", "/home/ann"]])).map(({ words }) => words.join(" ").replaceAll("\0", "·"));
  const lines: readonly (readonly [string, readonly string[]])[] = [
    [`D=~/x; rm $D/y "\${D}"`, ["rm ~/x/y ~/x"]],
    ["export A=1 B=$A; a $A $B $HOME", ["export A=1 B=1", "a 1 1 /home/ann"]],
    ["A=1; A=2; a $A", ["a ·"]],
    ["A=1 a $A", ["a ·"]],
    ["for A in 1 2; do for B in x; do a $A$B; done; done; b $A", ["a 1x", "a 2x", "b ·"]],
    ["for A in *.js; do a $A; done; read HOME; a $HOME", ["a *.js", "read HOME", "a ·"]],
    ["f() { a $1 $2; }; f x y; f z", ["a · ·", "f x y", "a x y", "f z", "a z "]],
    ["f() { local d=$1; a $d/y; }; f x", ["local d=·", "a ·/y", "f x", "local d=x", "a x/y"]],
    [`sh -c 'a "$1" "$@" $0' b c`, ["a c c b"]],
    [`sh -c 'a "$1" "$@"' _ c d`, ["a c ·"]],
    ["HOME=/x; a $HOME", ["a /x"]],
    [`a \${X:-b} \${HOME:-b} \${X:+b} \${X%b} $1`, ["a b /home/ann · · ·"]],
    ["a\nb )(\nc", ["a", "c"]],
    ["if a; b; end", []],
  ];
  for (const [line, wanted] of lines) test(line, () => expect(known(line)).toEqual(wanted));

  test("a function that calls itself ends", () => {
    expect(known("f() { f $1; f; }; f x; a").at(-1)).toBe("a");
  });

  test("which shell a command runs in, and the folder a wrapper starts it in", () => {
    const commands = simpleCommands("a; (b; c); d | e; eval f; bash -c g; h $(i) &") ?? [];
    const numbers = [...new Set(commands.flatMap((one) => one.shells))];
    const shells = commands.map((one) => one.shells.map((number) => numbers.indexOf(number)).join("/"));
    expect(shells).toEqual(["", "0", "0", "1", "2", "", "3", "4", "4/5"]);
    expect(simpleCommands("env -C d a; sudo --chdir=e b; c")?.map(({ folder }) => folder)).toEqual(["d", "e", null]);
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
