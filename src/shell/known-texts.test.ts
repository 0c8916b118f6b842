import { expect, test } from "bun:test";
import { knownTexts } from "./known-texts.ts";

const files: Readonly<Record<string, string>> = { "/srv/cmd.txt": "git push\n", "/tmp/a": "make a" };
const texts = (line: string, cwd: string | null = "/srv") =>
  knownTexts(line, { cwd, fileText: (path) => files[path] ?? null });

test("what a line puts on the clipboard", () => {
  const lines: readonly (readonly [string, string | null | undefined])[] = [
    ["echo git push origin main | pbcopy", "git push origin main\n"],
    ["printf '%s\\n' 'git push' | xclip -sel c", "git push\n"],
    ["printf 'git push\\n' | tr -d '\\n' | pbcopy", "git push"],
    ["wl-copy --type text/plain 'git push'", "git push"],
    ["sudo -u ann env DISPLAY=:0 xsel -ib <<< 'make a'", "make a\n"],
    ["cat <<'EOF' | pbcopy\ngit push $X\nEOF", "git push $X\n"],
    ["pbcopy <<EOF\ngit push\nEOF", "git push\n"],
    ["pbcopy < cmd.txt", "git push\n"],
    ["cat cmd.txt | tee copy | pbcopy", "git push\n"],
    ["xclip -selection clipboard /tmp/a", "make a"],
    ["cd /tmp && pbcopy < a", "make a"],
    ["cat other.txt | pbcopy", null],
    ["CMD='git push'; printf %s \"$CMD\" | pbcopy", "git push"],
    ['export CMD="make a" && echo $CMD | pbcopy', "make a\n"],
    ["CMD=$(cat <<'EOF'\nmake a\nEOF\n); echo \"$CMD\" | pbcopy", "make a\n"],
    ['echo "$(cat cmd.txt) --tags" | pbcopy', "git push --tags\n"],
    ["echo 'make b' > b.txt; pbcopy < b.txt", "make b\n"],
    ["bash -c \"printf '%s' 'make c' | pbcopy\"", "make c"],
    ["{ echo make; echo b; } | pbcopy", "make\nb\n"],
    ["echo a | pbcopy; echo b | pbcopy", "b\n"],
    ["printf '\\033]52;c;%s\\a' \"$(printf '%s' 'git push' | base64)\"", "git push"],
    ["printf '\\e]52;c;%s\\a' \"$(base64 < cmd.txt)\"", "git push\n"],
    ["printf '\\033]52;c;%s\\a' \"$(base64 unknown)\"", null],
    ['echo "$CMD" | pbcopy', null],
    ["make -n | pbcopy", null],
    ["if true; then echo a | pbcopy; fi", null],
    ["for x in a b; do echo $x | pbcopy; done", null],
    ["test -f x || echo a | pbcopy", null],
    ["Set-Clipboard -Value 'make a'", "make a"],
    [`osascript -e 'set the clipboard to "make a"'`, "make a"],
    ["osascript -e 'set the clipboard to (read POSIX file x)'", null],
    [`powershell.exe -Command "Set-Clipboard 'make a'"`, "make a"],
    ["powershell.exe Set-Clipboard -Value 'make a'", "make a"],
    ["echo make a | win32yank.exe -i", "make a\n"],
    ["wl-copy < /dev/null", ""],
    ["pbpaste; xclip -o; ls", undefined],
    ["echo 'a | pbcopy' (", undefined],
  ];
  for (const [line, copied] of lines) expect([line, texts(line).copied]).toEqual([line, copied]);
});

test("what a line writes into files", () => {
  const lines: readonly (readonly [string, Readonly<Record<string, string | null>>])[] = [
    ["echo a > a.txt", { "/srv/a.txt": "a\n" }],
    ["echo a > a.txt; echo b >> a.txt", { "/srv/a.txt": "a\nb\n" }],
    ["cat > x/b <<'EOF'\nb\nEOF", { "/srv/x/b": "b\n" }],
    ["date > d; echo x >> d", { "/srv/d": null }],
    ["echo a | tee t u", { "/srv/t": "a\n", "/srv/u": "a\n" }],
    ["make 2> log; ls &> all; echo a 2>/dev/null", { "/srv/log": null, "/srv/all": null }],
    ["if x; then echo a > c; fi", { "/srv/c": null }],
    ["cd sub; echo a > e", { "/srv/sub/e": "a\n" }],
  ];
  for (const [line, written] of lines) expect([line, Object.fromEntries(texts(line).files)]).toEqual([line, written]);
  expect([...texts("echo a > a.txt", null).files]).toEqual([["a.txt", "a\n"]]);
});

test("no depth and no size ends it", () => {
  for (const line of [
    "(".repeat(20_000),
    `echo ${"$(echo ".repeat(200)}a${")".repeat(200)} | pbcopy`,
    `${"{ ".repeat(500)}a;${" }".repeat(500)}`,
  ])
    expect(() => texts(line)).not.toThrow();
  expect(texts(`echo ${"a".repeat(100_000)} | pbcopy`).copied).toBeUndefined();
});
