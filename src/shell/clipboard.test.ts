import { expect, test } from "bun:test";
import { putsOnClipboard } from "./clipboard.ts";

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
