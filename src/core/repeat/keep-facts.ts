import { sayOnStderr } from "../../base/descriptors.ts";
import { done, type Result } from "../../base/result.ts";
import type { Home } from "../../disk/home.ts";
import { listFolder } from "../../disk/list-folder.ts";
import { readDefectRegister } from "../../oko/defect-register.ts";
import { type BoundCall, closuresOf } from "./closures.ts";
import type { KeepFacts, RepeatSetting } from "./store.ts";

/** What a call is kept with, read when it is kept. What cannot be read is said; the next ask of the call fills it in or refuses. */
export function keepFacts(setting: RepeatSetting, call: BoundCall, catalog: { readonly id: string }): () => KeepFacts {
  return () => {
    const register = readDefectRegister(setting.registerPath);
    if (!register.ok) sayOnStderr(`tama: ${register.cause}`);
    const answers = readAnswers(setting.home);
    if (!answers.ok) sayOnStderr(`tama: ${answers.cause}`);
    return {
      catalog: catalog.id,
      answers: answers.ok ? answers.value : [],
      closures: register.ok ? closuresOf(register.value, call) : undefined,
    };
  };
}

/** The ids kept under judgements/, sorted. */
export function readAnswers(home: Home): Result<readonly string[]> {
  const names = listFolder(home.judgements, ".json");
  return names.ok ? done(names.value.map((name) => name.slice(0, -".json".length))) : names;
}
