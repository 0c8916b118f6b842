import { knownTools } from "../calls/kind.ts";
import type { DeclaredHook } from "../words/declaration.ts";

/** Which tools of which harness one line of a declaration reaches, for a person to read. */
export interface Reached {
  readonly event: string;
  readonly agent: string;
  readonly harness: string;
  readonly tools: readonly string[];
}

export function toolsReached(hook: Pick<DeclaredHook, "on">): readonly Reached[] {
  return hook.on.flatMap((one): readonly Reached[] => {
    const agent = one.agent ?? (one.event === "stop" ? "main" : "both");
    if (one.event !== "tool_call" && one.event !== "tool_result")
      return [{ event: one.event, agent, harness: one.harness ?? "every harness", tools: ["no tool"] }];
    const wanted = one.tools ?? ["*"];
    if (wanted.includes("*"))
      return [{ event: one.event, agent, harness: one.harness ?? "every harness", tools: ["every tool"] }];
    return Object.entries(knownTools)
      .filter(([harness]) => one.harness === undefined || one.harness === harness)
      .map(([harness, kinds]) => ({ event: one.event, agent, harness, tools: matching(wanted, kinds) }))
      .filter((reached) => reached.tools.length > 0);
  });
}

/** The tool names of a declaration that no harness is known to have: a misspelt one, or a plugin's or an MCP server's. */
export function toolsUnknown({ on }: Pick<DeclaredHook, "on">): readonly string[] {
  const known = new Set(Object.values(knownTools).flatMap((kinds) => Object.keys(kinds)));
  const named = on.flatMap(({ tools = [] }) => tools.filter((word) => word !== "*" && !word.startsWith("kind:")));
  return [...new Set(named)].filter((word) => !known.has(word.toLowerCase()));
}

function matching(wanted: readonly string[], kinds: Readonly<Record<string, string>>): readonly string[] {
  const reached = Object.entries(kinds).filter(([tool, kind]) =>
    wanted.some((word) => word.toLowerCase() === tool.toLowerCase() || word === `kind:${kind}`),
  );
  const named = wanted.filter(
    (word) =>
      !word.startsWith("kind:") && !Object.keys(kinds).some((tool) => tool.toLowerCase() === word.toLowerCase()),
  );
  return [...reached.map(([tool]) => tool), ...named];
}
