import { version } from "../../package.json" with { type: "json" };

/** The version of this program, as package.json states it; part of every catalog id. */
export const release: string = version;
