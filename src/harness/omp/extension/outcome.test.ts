import { expect, test } from "bun:test";
import { faultText } from "./outcome.ts";

test("a fault names commands that can be pasted, wherever the program stands", () => {
  expect(faultText("the core died", "/usr/bin/tama")).toContain("what is wrong: /usr/bin/tama status. Where /usr");
  expect(faultText("the core died", "/it's here/tama")).toContain(
    "what is wrong: '/it'\\''s here/tama' status. Where ",
  );
  expect(faultText("the core died", "/usr/bin/tama")).toEndWith(": tama install omp.");
});
