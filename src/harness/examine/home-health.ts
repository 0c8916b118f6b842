import { existsSync, lstatSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { readCatalog } from "../../core/catalog.ts";
import { type Home, unfitHome } from "../../disk/home.ts";
import { listFolder } from "../../disk/list-folder.ts";
import { readRecord } from "../../disk/read-record.ts";
import { inspectHooks } from "../../supervision/inspection.ts";
import { failedCallsSchema, startedCallsSchema } from "../../words/kept-calls.ts";
import { sessionRecordSchema } from "../../words/records.ts";
import type { Problem } from "./inspection.ts";

/** The health of TAMA_HOME: who can read it, whether its records can be read, what is declared, and what a dead core left running. */
export async function homeHealth(home: Home): Promise<readonly Problem[]> {
  if (!existsSync(home.root)) return [];
  // All else that could not be read then is this same problem.
  const unfit = unfitHome(home);
  if (unfit !== null)
    return [
      { what: unfit.cause, wayOut: `move ${unfit.path} away (Tama makes it anew), or point TAMA_HOME elsewhere` },
    ];
  return [...folderProblems(home), ...registryProblems(home), ...recordProblems(home), ...(await hookProblems(home))];
}

function folderProblems({ root }: Home): readonly Problem[] {
  const folders = ["", "failed-calls", "started-calls", "sessions", "log", "control", "in-flight"];
  return folders.flatMap((name) => {
    const path = join(root, name);
    if (!existsSync(path)) return [];
    const about = lstatSync(path);
    if (!about.isDirectory()) return [{ what: `${path} is no folder`, wayOut: "move it away; Tama makes it anew" }];
    if (process.getuid !== undefined && about.uid !== process.getuid())
      return [{ what: `${path} belongs to another user`, wayOut: "give it to the user who runs the agents" }];
    if ((about.mode & 0o077) === 0) return [];
    const mode = (about.mode & 0o777).toString(8);
    return [{ what: `${path} is open to others (mode ${mode})`, wayOut: `chmod 700 ${path}` }];
  });
}

function registryProblems(home: Home): readonly Problem[] {
  const catalog = readCatalog(home);
  if (!catalog.ok)
    return [
      {
        what: `${catalog.cause}; every call is refused`,
        wayOut: "mend that file, or move it away and declare your hooks again",
      },
    ];
  return catalog.value.hooks.flatMap(({ id, program }) => {
    const [path = ""] = "command" in program ? program.command : [];
    if (!isAbsolute(path) || existsSync(path)) return [];
    return [
      {
        what: `the hook ${id} runs ${path}, which is not there; every call it is asked about is refused`,
        wayOut: `put it back, or tama hooks withdraw ${id}`,
      },
    ];
  });
}

/** Records of the newest names only would hide an old broken one; a count bounds the work. */
const recordsMax = 2000;

function recordProblems(home: Home): readonly Problem[] {
  const kinds = [
    ["sessions", sessionRecordSchema],
    ["failed-calls", failedCallsSchema],
    ["started-calls", startedCallsSchema],
  ] as const;
  return kinds.flatMap(([folder, schema]) => {
    const names = listFolder(join(home.root, folder), ".json");
    if (!names.ok) return [{ what: names.cause, wayOut: "make it readable" }];
    return names.value.slice(-recordsMax).flatMap((name) => {
      const record = readRecord(join(home.root, folder, name), schema);
      const wayOut = "move that file away; what it kept of its session is lost with it";
      return record.ok ? [] : [{ what: record.cause, wayOut }];
    });
  });
}

async function hookProblems(home: Home): Promise<readonly Problem[]> {
  const { hooks, errors } = await inspectHooks(home);
  const orphaned = hooks.filter((hook) => hook.ownershipState === "orphaned").length;
  return [
    ...errors.map((what) => ({ what, wayOut: "make that file readable and writable for you, or move it away" })),
    ...(orphaned === 0
      ? []
      : [{ what: `${orphaned} hooks outlived their core`, wayOut: "tama hooks running --end-orphans" }]),
  ];
}
