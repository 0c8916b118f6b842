import { join } from "node:path";
import { failed, type Result } from "../base/result.ts";
import { readRecord } from "../disk/read-record.ts";
import { type DefectRegister, defectRegisterSchema } from "../words/records.ts";

/** Where Oko publishes its defects: OKO_DEFECT_REGISTER, else defects.json in OKO_HOME (default `~/.oko`, on macOS its Application Support folder). */
export function defectRegisterPath(
  environment: Readonly<Record<string, string | undefined>>,
  userHome: string,
  onMac: boolean,
): string {
  const named = environment["OKO_DEFECT_REGISTER"];
  if (named !== undefined && named !== "") return named;
  const home = environment["OKO_HOME"];
  if (home !== undefined && home !== "") return join(home, "defects.json");
  return onMac
    ? join(userHome, "Library", "Application Support", "Oko", "defects.json")
    : join(userHome, ".oko", "defects.json");
}

/** The register, or null on a machine where Oko keeps none. The cause reads as the spec has it: `cannot read|decode Oko's register <path>: …`. */
export function readDefectRegister(path: string): Result<DefectRegister | null> {
  const register = readRecord(path, defectRegisterSchema);
  if (register.ok) return register;
  return failed(register.cause.replace(/^cannot (read|decode) /, "cannot $1 Oko's register "));
}
