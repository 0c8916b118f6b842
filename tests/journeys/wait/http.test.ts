import { afterEach, expect, test } from "bun:test";
import { makeWorld, type World } from "../tama-command.ts";
import { until } from "../until.ts";
import { startWait } from "./started-wait.ts";

// Remote state, which is what sessions poll most: a real curl against a server of this machine.

let world: World = makeWorld();
afterEach(() => {
  world.remove();
  world = makeWorld();
});

test("curl's answer is waited for until the server says something else", async () => {
  let asked = 0;
  let status = "in_progress";
  const answer = (): Response => {
    asked++;
    return Response.json({ status });
  };
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  try {
    const wait = startWait(world, ["--every", "20ms", "--", "curl", "-fsS", `http://127.0.0.1:${server.port}/run`]);
    await until("three looks", () => asked >= 3);
    status = "completed";
    expect(await wait.ended).toEqual({ code: 0, signal: null, stdout: '{"status":"completed"}', stderr: "" });
  } finally {
    await server.stop(true);
  }
});

test("a server that comes up turns a failing look into an answer", async () => {
  const probe = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("up") });
  const port = probe.port;
  await probe.stop(true);
  const line = `echo x >> ${world.root}/runs; curl -fsS http://127.0.0.1:${port}/health`;
  const wait = startWait(world, ["--every", "20ms", "--", line]);
  await until(
    "two looks",
    async () =>
      (
        await Bun.file(`${world.root}/runs`)
          .text()
          .catch(() => "")
      ).length >= 4,
  );
  const server = Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch: () => new Response("up") });
  try {
    expect(await wait.ended).toEqual({ code: 0, signal: null, stdout: "up", stderr: "" });
  } finally {
    await server.stop(true);
  }
});
