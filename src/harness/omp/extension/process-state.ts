import type { CoreLink } from "./core-link.ts";
import type { Setting } from "./host.ts";
import type { Screen } from "./screen.ts";

/** What all sessions of one OMP process share. */
export interface Shared {
  readonly core: CoreLink;
  readonly screen: Screen;
  readonly setting: Setting;
  /** Messages are numbered by this process and never again by a later one of the same session. */
  readonly stamp: string;
}
