import { afterAll, describe, expect, test } from "bun:test";
import { type Frame, startCore } from "../journeys/core-driver.ts";
import { declareHook, makeWorld } from "../journeys/tama-command.ts";
import { patience, repeat, verdict } from "./fault-run.ts";

// Fault 5: a hook ends in every way a program can end. Only exit 0 with a valid answer passes. All of them are run at every scale.

const codes = Array.from({ length: 256 }, (_one, code) => code);
/** CHLD, CONT, URG and WINCH are ignored by default; STOP, TSTP, TTIN and TTOU end nothing. */
const harmless = new Set([17, 18, 19, 20, 21, 22, 23, 28]);
/** 32 and 33 belong to the C library. */
const signals = Array.from({ length: 64 }, (_one, at) => at + 1).filter(
  (one) => !harmless.has(one) && one !== 32 && one !== 33,
);

const body = `read -r event
how=\${event##*ends-}; how=\${how%%;*}; kind=\${how%%:*}; value=\${how#*:}
case $kind in
  exit) exit $value ;;
  signal) kill -$value $$; sleep 600 ;;
esac`;

const said: Readonly<Record<string, string>> = {
  "": "pass",
  "{}": "pass",
  '{"context":"c"}': "pass",
  '{"decision":"block","reason":"r"}': "refuse",
  "half{": "infrastructure",
  '{"decision":': "infrastructure",
  "[]": "infrastructure",
  null: "infrastructure",
  '{"decision":"maybe"}': "infrastructure",
};

const worlds: { remove: () => void }[] = [];
afterAll(() => {
  for (const world of worlds) world.remove();
});

describe("fault 5:", () => {
  for (const contract of ["tama", "claude-code"] as const) {
    test(
      `every exit code and every fatal signal under the contract ${contract}`,
      async () => {
        const world = makeWorld();
        worlds.push(world);
        await declareHook(world, { id: "ends", command: [world.script("ends.sh", body)], contract });
        const core = await startCore(world);
        const ask = async (how: string): Promise<Frame> =>
          await core.dispatch("tool_call", { tool: "bash", input: { command: `ends-${how};` } });
        const verdicts = new Map<string, string>();
        const reasons = new Map<string, string>();
        const ways = [...codes.map((code) => `exit:${code}`), ...signals.map((signal) => `signal:${signal}`)];
        await repeat(ways.length, 4, async (at) => {
          const way = ways[at] ?? "";
          const answer = await ask(way);
          verdicts.set(way, answer["infrastructure"] === true ? "infrastructure" : String(answer["verdict"]));
          reasons.set(way, String(answer["reason"]));
        });
        await core.close();
        const passed = [...verdicts].filter(([, one]) => one === "pass").map(([way]) => way);
        const refused = [...verdicts].filter(([, one]) => one === "refuse").map(([way]) => way);
        const unnamed = ways.filter(
          (way) => verdicts.get(way) === "infrastructure" && !names(way, reasons.get(way) ?? ""),
        );
        verdict(5, ways.length, `an ending under ${contract}`, {
          "passes but exit 0": passed.filter((way) => way !== "exit:0").length,
          "refusals but exit 2": refused.filter((way) => way !== "exit:2").length,
          "causes that do not name the ending": unnamed.length,
        });
        expect(passed).toEqual(["exit:0"]);
        expect(refused).toEqual(["exit:2"]);
        expect(unnamed).toEqual([]);
      },
      patience,
    );
  }

  test(
    "exit 0 passes only with a valid answer",
    async () => {
      const world = makeWorld();
      worlds.push(world);
      for (const [at, text] of Object.keys(said).entries()) {
        const answer = world.write(`answer-${at}`, text);
        const on = [{ event: "tool_call", tools: [`tool-${at}`] }];
        await declareHook(world, { id: `says-${at}`, command: [world.script(`says-${at}.sh`, `cat ${answer}`)], on });
      }
      const core = await startCore(world);
      const seen: Record<string, string> = {};
      for (const [at, text] of Object.keys(said).entries()) {
        const answer = await core.dispatch("tool_call", { tool: `tool-${at}`, input: {} });
        seen[text] = answer["infrastructure"] === true ? "infrastructure" : String(answer["verdict"]);
      }
      await core.close();
      expect(seen).toEqual({ ...said });
    },
    patience,
  );
});

/** 70 states its own cause under the tama contract; every other cause names the code or the signal. */
function names(way: string, reason: string): boolean {
  const [kind, value] = way.split(":");
  if (kind === "signal") return /ended by (SIG[A-Z0-9]+|signal \d+)/.test(reason);
  return reason.includes(`exit ${value}`);
}
