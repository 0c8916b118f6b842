import { expect, test } from "bun:test";
import { openOrder } from "./order.ts";

test("work of one session runs in the order it was given, that of others does not wait", async () => {
  const order = openOrder();
  const slow = Promise.withResolvers<void>();
  const done: string[] = [];
  const turns = [
    order.inTurn("s", [slow.promise], async () => void done.push("s1")),
    order.inTurn("s", [], async () => void done.push("s2")),
    order.inTurn("t", [], async () => void done.push("t1")),
  ];
  await turns[2];
  expect(done).toEqual(["t1"]);
  slow.resolve();
  await Promise.all(turns);
  expect(done).toEqual(["t1", "s1", "s2"]);
});

test("work that throws, or waits for what fails, holds up nobody", async () => {
  const order = openOrder();
  const failed = order.inTurn("s", [], () => Promise.reject(new Error("no")));
  const failing = Promise.reject(new Error("later"));
  expect(await order.inTurn("s", [failing], async () => "ran")).toBe("ran");
  expect(await failed.catch((error: Error) => error.message)).toBe("no");
});

test("a decision is found under each of its names until it settles", async () => {
  const order = openOrder();
  const decision = Promise.withResolvers<void>();
  order.deciding("s", ["id", "call:1"], decision.promise);
  expect(order.decisionsFor("s", ["id"])).toEqual([decision.promise]);
  expect(order.decisionsFor("s", ["call:1", "other"])).toEqual([decision.promise]);
  expect(order.decisionsFor("t", ["id"])).toEqual([]);
  decision.resolve();
  await decision.promise;
  await Promise.resolve();
  expect(order.decisionsFor("s", ["id", "call:1"])).toEqual([]);
});

test("a release counts for the lines before it, and a person's is not a change's", () => {
  const order = openOrder();
  const [first, second, third] = [order.nextLine("s"), order.nextLine("s"), order.nextLine("s")];
  order.noteRelease("s", second, "person");
  expect(order.releasedAfter("s", first, "person")).toBe(true);
  expect(order.releasedAfter("s", second, "person")).toBe(false);
  expect(order.releasedAfter("s", third, "person")).toBe(false);
  expect(order.releasedAfter("s", first, "change")).toBe(false);
  order.noteRelease("s", first, "person");
  expect(order.releasedAfter("s", first, "person")).toBe(true);
  expect(order.releasedAfter("t", 0, "person")).toBe(false);
});
