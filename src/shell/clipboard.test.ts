import { expect, test } from "bun:test";
import { clipboardText, putsOnClipboard } from "./clipboard.ts";

test("what puts something on the clipboard", () => {
  for (const line of [
    "echo ls | pbcopy",
    "printf '%s' 'git push' | xclip -selection clipboard",
    "cat cmd.txt | wl-copy",
    "wl-copy 'git push'",
    "pbcopy < cmd.txt",
    "xsel -ib <<< ls",
    "echo ls | clip.exe",
    "printf '\\033]52;c;%s\\a' \"$(base64 cmd)\"",
  ])
    expect([line, putsOnClipboard(line)]).toEqual([line, true]);
  for (const line of ["pbpaste", "xclip -o", "xsel --output", "wl-copy --clear", "grep pbcopy a.sh", "echo xclip"])
    expect([line, putsOnClipboard(line)]).toEqual([line, false]);
});

test("what it was given, where the line says it", () => {
  expect(clipboardText("echo git push origin main | pbcopy")).toBe("git push origin main");
  expect(clipboardText("printf '%s\\n' 'git push' | xclip -sel c")).toBe("git push");
  expect(clipboardText("printf 'git push\\n' | pbcopy")).toBe("git push");
  expect(clipboardText("wl-copy 'git push'")).toBe("git push");
  for (const unknown of ["pbcopy < cmd", "cat cmd | pbcopy", 'echo "$CMD" | pbcopy', "ls"])
    expect(clipboardText(unknown)).toBeNull();
});
