import blockIdleAnswer from "../../hook-declarations/answer-discipline/block-idle-answer.json" with { type: "json" };
import blockStopOnOwnWork from "../../hook-declarations/answer-discipline/block-stop-on-own-work.json" with {
  type: "json",
};
import blockWaitPolling from "../../hook-declarations/answer-discipline/block-wait-polling.json" with { type: "json" };
import blockUncheckedOperatorCommands from "../../hook-declarations/answer-discipline/commands/block-unchecked-operator-commands.json" with {
  type: "json",
};
import blockGateTampering from "../../hook-declarations/gate-discipline/block-gate-tampering.json" with {
  type: "json",
};
import { done, failed, type Result } from "../base/result.ts";
import { type Declaration, parseDeclaration } from "../words/declaration.ts";

/** The declarations that come with Tama: each gate's own, and the sets they are offered in. */
export interface BuiltInDeclaration {
  readonly declaration: Declaration;
  readonly file: string;
}

const carried: readonly (readonly [file: string, text: unknown])[] = [
  ["hook-declarations/answer-discipline/block-wait-polling.json", blockWaitPolling],
  ["hook-declarations/answer-discipline/block-idle-answer.json", blockIdleAnswer],
  ["hook-declarations/answer-discipline/block-stop-on-own-work.json", blockStopOnOwnWork],
  [
    "hook-declarations/answer-discipline/commands/block-unchecked-operator-commands.json",
    blockUncheckedOperatorCommands,
  ],
  ["hook-declarations/gate-discipline/block-gate-tampering.json", blockGateTampering],
];

/** `standalone` is what `tama install` proposes; `strict` adds gates a person should first see replayed over their own history. */
const presets: Readonly<Record<string, readonly string[]>> = {
  standalone: ["block-wait-polling", "block-idle-answer", "block-gate-tampering"],
  strict: [
    "block-wait-polling",
    "block-idle-answer",
    "block-stop-on-own-work",
    "block-unchecked-operator-commands",
    "block-gate-tampering",
  ],
};

function builtInDeclarations(): readonly BuiltInDeclaration[] {
  return carried.map(([file, text]) => {
    const declaration = parseDeclaration(text);
    if (typeof declaration === "string") throw new Error(`${file}: ${declaration}`);
    return { declaration, file };
  });
}

/** The id of every gate that is carried, in a preset or not. */
export function builtInIds(): readonly string[] {
  return builtInDeclarations().map(({ declaration }) => declaration.id);
}

export function builtInDeclaration(id: string): BuiltInDeclaration | null {
  return builtInDeclarations().find((one) => one.declaration.id === id) ?? null;
}

export function presetDeclarations(name: string): Result<readonly BuiltInDeclaration[]> {
  const ids = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (ids === undefined)
    return failed(`there is no preset ${JSON.stringify(name)}; there are ${Object.keys(presets).join(", ")}`);
  return done(builtInDeclarations().filter((one) => ids.includes(one.declaration.id)));
}
