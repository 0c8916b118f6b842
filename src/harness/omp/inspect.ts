import { join } from "node:path";
import { listNames } from "../../disk/list-folder.ts";
import { serveCanary } from "../canaries.ts";
import type { Inspection, Problem } from "../examine/inspection.ts";
import { namedTranscripts, programInExtension } from "../extension-file.ts";
import type { Machine } from "../harness.ts";
import { singleQuoted } from "../registered-line.ts";
import { agentFolder, ownHeader } from "./install.ts";

/** OMP's side of `tama doctor`: the adapter's file, and the settings that keep OMP from loading it. */
export async function inspectOmp(machine: Machine): Promise<Inspection> {
  const place = await agentFolder(machine);
  const agent = place.ok ? place.value : join(machine.home, ".omp", "agent");
  const path = join(agent, "extensions", "tama.ts");
  const read = machine.read(path);
  const text = read.ok ? (read.value ?? "") : "";
  const installed = text.startsWith(`${ownHeader}\n`);
  const binary = installed ? programInExtension(text) : null;
  const causes = [...(place.ok ? [] : [place.cause]), ...(read.ok ? [] : [read.cause])];
  return {
    installed,
    file: path,
    binary,
    line:
      binary === null
        ? null
        : {
            command: `exec ${singleQuoted(binary)} run-hook omp --serve`,
            canary: serveCanary,
            refusal: '"verdict":"refuse"',
          },
    problems: [
      ...causes.map((what) => ({
        what,
        wayOut: "omp config path must name OMP's folder, and its files must be readable",
      })),
      ...(installed ? switchedOff(machine, join(agent, "config.yml")) : []),
    ],
    notes: profilesWithout(machine),
    transcripts: { folder: join(agent, "sessions"), ...namedTranscripts },
    unasked: [],
  };
}

function switchedOff(machine: Machine, path: string): readonly Problem[] {
  const config = machine.read(path);
  if (!config.ok || config.value === null) return [];
  try {
    const value: unknown = Bun.YAML.parse(config.value);
    const list: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "disabledExtensions") : null;
    if (!Array.isArray(list) || !list.includes("extension-module:tama")) return [];
    return [
      {
        what: `${path} names extension-module:tama under disabledExtensions, so OMP does not load it`,
        wayOut: "take it out there",
      },
    ];
  } catch {
    return [{ what: `${path} is no YAML`, wayOut: "mend that file" }];
  }
}

/** A profile has a folder and so an installation of its own. */
function profilesWithout(machine: Machine): readonly string[] {
  const folder = join(machine.home, ".omp", "profiles");
  return listNames(folder).flatMap((profile) => {
    const adapter = machine.read(join(folder, profile, "agent", "extensions", "tama.ts"));
    if (!adapter.ok || adapter.value !== null) return [];
    return [`OMP's profile ${profile} has no Tama: OMP_PROFILE=${profile} tama install omp`];
  });
}
