/** Tools that hand work to another agent of the same session: OMP and older Claude Code, Claude Code, Codex. Names in lower case. */
const AGENT_TOOLS: ReadonlySet<string> = new Set(["task", "agent", "spawn_agent"]);

/**
 * Whether a tool starts an agent. To the one who calls it anything may come of it; to the session's other agents the call itself changes
 * nothing, since the started agent's own calls tell what it did. Codex also names it multi_agent_v1spawn_agent.
 */
export function startsAgent(tool: string): boolean {
  const name = tool.toLowerCase();
  return AGENT_TOOLS.has(name) || name.endsWith("spawn_agent");
}
