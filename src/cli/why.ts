import { printable, printableRow } from "../base/printable.ts";
import { quotedFlag } from "../base/quoted-word.ts";
import { type FoundRefusal, findRefusal, type LogOwner } from "../core/log-reading.ts";
import type { LogLine } from "../words/records.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "why <refusal> [--json]",
  about: "One refusal explained: what was seen, why it counts, what to do instead, and how long each hook took.",
  example: "tama why r-2wnsd7b1h2",
  args: {
    refusal: { type: "positional", description: "its id, as `tama log` names it (r-…)" },
    json: { type: "boolean", description: "the logged dispatch as JSON" },
  },
  run: async (context, given) => {
    const refusal = given.words[0] ?? "";
    const { found, errors } = findRefusal(context.home, refusal);
    for (const error of errors) context.err(`why: ${error}\n`);
    if (found === null) {
      context.err(`why: no log knows a refusal ${JSON.stringify(refusal)}; \`tama log\` lists them\n`);
      return 1;
    }
    const { session, agentId } = found.owner;
    const whose = { session, ...(agentId === null ? {} : { agentId }) };
    context.out(given.flag("json") ? `${JSON.stringify({ ...whose, ...found.line }, null, 2)}\n` : told(found));
    return 0;
  },
};

function told({ line, owner }: FoundRefusal): string {
  const about = line.tool == null ? line.event : `${line.event} of ${printableRow(line.tool)}`;
  const agent = owner.agentId === null ? "" : `  subagent ${printableRow(owner.agentId)}`;
  const rows = [
    `${line.refusal}  ${line.at}  session ${printableRow(owner.session)}${agent}`,
    `${about} refused by ${line.blockedHookId}${line.verdict === "infrastructure" ? " (nothing was judged: something it needs is broken)" : ""}`,
    "",
    ...section(line.call === undefined ? "call" : `call ${line.call}`, line.asked),
    ...section("what", line.what ?? line.reason),
    ...section("why", line.why),
    ...section("instead", line.instead),
    ...section("evidence", line.evidence),
    ...section("to let it through once, at your own terminal", letThrough(line, owner)),
    ...(line.hooks.length === 0 ? [`decided in ${line.ms} ms, before any hook`] : [`decided in ${line.ms} ms`]),
    ...line.hooks.map((hook) => `  ${hook.hook}  ${hook.verdict}  ${hook.ms} ms`),
  ];
  return `${rows.join("\n")}\n`;
}

/** The grants that lift this refusal, one for each hook that refused; a fault and the repeat rule's hold take none. */
function letThrough(line: LogLine, { session }: LogOwner): string | undefined {
  if (line.verdict !== "refuse") return undefined;
  const refusers = line.hooks.filter(({ verdict }) => verdict === "refuse");
  const targets =
    refusers.length === 1 && line.call !== undefined
      ? [`--call ${line.call}`]
      : refusers.map(({ hook }) => quotedFlag("--hook", hook));
  return targets
    .map((target) => `tama grant once ${quotedFlag("--session", session)} ${target} --because "<why>"`)
    .join("\n");
}

function section(name: string, text: string | undefined): readonly string[] {
  if (text === undefined || text.trim() === "") return [];
  return [
    name,
    ...printable(text)
      .split("\n")
      .map((line) => `  ${line}`),
    "",
  ];
}
