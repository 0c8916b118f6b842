import { expect, test } from "bun:test";
import { scrubbed } from "./environment.ts";

test("what could take over, unlock or speak in another's name stays out; everything else passes", () => {
  const passing = { PATH: "/bin", HOME: "/h", CLAUDE_PROJECT_DIR: "/p", MY_BUN: "1", TAMA_HOME: "/t", EMPTY: "" };
  const withheld = {
    BUN_OPTIONS: "x",
    BUN_BE_BUN: "1",
    NODE_OPTIONS: "x",
    TAMA_BIRTH: "b",
    ANTHROPIC_API_KEY: "k",
    OPENAI_API_KEY: "k",
    CLAUDE_CODE_MESSAGING_TOKEN: "k",
    CLAUDE_CODE_SSE_PORT: "1",
  };
  expect(scrubbed({ ...passing, ...withheld, UNSET: undefined })).toEqual(passing);
});
