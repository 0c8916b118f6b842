import { printable, printableRow } from "../base/printable.ts";
import { type FoundRefusal, findRefusal } from "../core/log-reading.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "why <refusal> [--json]",
  about: "One refusal explained: what was seen, why it counts, what to do instead, and how long each hook took.",
  args: {
    refusal: { type: "positional", description: "its id, as the answer and `tama log` name it (r-…)" },
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
    context.out(
      given.flag("json") ? `${JSON.stringify({ session: found.session, ...found.line }, null, 2)}\n` : told(found),
    );
    return 0;
  },
};

function told({ line, session }: FoundRefusal): string {
  const about = line.tool == null ? line.event : `${line.event} of ${printableRow(line.tool)}`;
  const rows = [
    `${line.refusal}  ${line.at}  session ${printableRow(session)}`,
    `${about} refused by ${line.blockedHookId}${line.verdict === "infrastructure" ? " (nothing was judged: something it needs is broken)" : ""}`,
    "",
    ...section("what", line.what ?? line.reason),
    ...section("why", line.why),
    ...section("instead", line.instead),
    ...section("evidence", line.evidence),
    ...(line.hooks.length === 0 ? [`decided in ${line.ms} ms, before any hook`] : [`decided in ${line.ms} ms`]),
    ...line.hooks.map((hook) => `  ${hook.hook}  ${hook.verdict}  ${hook.ms} ms`),
  ];
  return `${rows.join("\n")}\n`;
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
