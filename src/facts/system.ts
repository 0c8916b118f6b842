import { basename, join, resolve } from "node:path";
import { done, type Result } from "../base/result.ts";
import { homeAt } from "../disk/home.ts";
import { readTextFile } from "../disk/read-text-file.ts";
import { attestation, attestationLines } from "../gates/attestation.ts";
import { findProgram } from "../process/find-program.ts";
import type { HookEvent } from "../words/event.ts";
import type { FactSources } from "./load-facts.ts";

/** The names of the shells that `/etc/shells` declares; none where there is no such file. */
export function declaredShells(): readonly string[] {
  const text = readTextFile("/etc/shells");
  const lines = text.ok && text.value !== null ? text.value.split("\n") : [];
  return lines.filter((line) => line.startsWith("/")).map((line) => basename(line.trim()));
}

/** The operator's own attestation where there is one, else Tama's. */
export function attestationAt(tamaHome: string): Result<readonly string[]> {
  const text = readTextFile(homeAt(tamaHome).attestation);
  if (!text.ok) return text;
  return done(text.value === null ? attestation : attestationLines(text.value));
}

/** Whether a program can be started here, as a shell in the event's folder would look for it. */
export function programFinder(sources: FactSources, event: HookEvent): (program: string) => boolean {
  const cwd = event.payload.cwd ?? sources.cwd;
  const path = sources.environment["PATH"] ?? "";
  return (program) => {
    const named = program.startsWith("~/") ? join(sources.userHome, program.slice(2)) : program;
    return findProgram(named.includes("/") ? resolve(cwd, named) : named, path) !== null;
  };
}
