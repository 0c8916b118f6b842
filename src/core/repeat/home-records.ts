import { done, type Result } from "../../base/result.ts";
import type { Home } from "../../disk/home.ts";
import { liftedBeside } from "../../disk/lifted-beside.ts";
import { listFolder } from "../../disk/list-folder.ts";
import { readRecord } from "../../disk/read-record.ts";
import { updateRecord } from "../../disk/update-record.ts";
import { readDefectRegister } from "../../oko/defect-register.ts";
import { failedCallsSchema, startedCallsSchema } from "../../words/kept-calls.ts";
import { readSettings } from "../settings.ts";
import type { RepeatRecords } from "./store.ts";

/** The repeat rule's records as they are kept under TAMA_HOME (contract 5). */
export function homeRecords(home: Home, registerPath: string): RepeatRecords {
  return {
    settings: () => readSettings(home),
    failed: (owner) => readRecord(home.failedCalls(owner.session, owner.agentId), failedCallsSchema),
    started: (owner) => readRecord(home.startedCalls(owner.session, owner.agentId), startedCallsSchema),
    changeFailed: (owner, change) =>
      updateRecord(home.failedCalls(owner.session, owner.agentId), failedCallsSchema, (record) =>
        unlessSame(record, change(record ?? { calls: {}, spent: [] }), { calls: {}, spent: [] }),
      ),
    changeStarted: (owner, change) =>
      updateRecord(home.startedCalls(owner.session, owner.agentId), startedCallsSchema, (record) =>
        unlessSame(record, change(record ?? { calls: {} }), { calls: {} }),
      ),
    liftedBeside: (owner) => liftedBeside(home, owner.session, owner.agentId),
    register: () => readDefectRegister(registerPath),
    answers: () => answersIn(home),
    pathOf: (what, owner) => {
      switch (what) {
        case "settings":
          return home.settings;
        case "failed":
          return home.failedCalls(owner.session, owner.agentId);
        case "started":
          return home.startedCalls(owner.session, owner.agentId);
        case "register":
          return registerPath;
        case "answers":
          return home.judgements;
      }
    },
  };
}

function answersIn(home: Home): Result<readonly string[]> {
  const names = listFolder(home.judgements, ".json");
  return names.ok ? done(names.value.map((name) => name.slice(0, -".json".length))) : names;
}

/** Most events change nothing that is kept; those must cost no write. */
function unlessSame<T>(before: T | null, after: T, empty: T): T | null {
  return JSON.stringify(before ?? empty) === JSON.stringify(after) ? null : after;
}
