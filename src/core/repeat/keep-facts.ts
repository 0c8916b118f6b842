import { sayOnStderr } from "../../base/descriptors.ts";
import { type BoundCall, closuresOf } from "./closures.ts";
import type { KeepFacts, RepeatSetting } from "./store.ts";

/** What a call is kept with, read when it is kept. What cannot be read is said; the next ask of the call fills it in or refuses. */
export function keepFacts(setting: RepeatSetting, call: BoundCall, catalog: { readonly id: string }): () => KeepFacts {
  return () => {
    const register = setting.records.register();
    if (!register.ok) sayOnStderr(`tama: ${register.cause}`);
    const answers = setting.records.answers();
    if (!answers.ok) sayOnStderr(`tama: ${answers.cause}`);
    return {
      catalog: catalog.id,
      answers: answers.ok ? answers.value : [],
      closures: register.ok ? closuresOf(register.value, call) : undefined,
    };
  };
}
