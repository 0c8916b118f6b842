import { afterEach, describe } from "bun:test";
import { type AgentRig, unavailable } from "../../clients/agent-rig.ts";

// What Tama promises of every agent is told once, in the stories of this folder, and run with each agent's own program. An agent is here what
// the stories must know of it; what only one of them does is told in that one's own folder.

/** An agent as the shared stories see it. */
export interface StoryAgent {
  readonly name: string;
  readonly open: (request: StoryRequest) => Promise<StoryRig>;
  /** What it puts before a refusal's reason where it tells the model. */
  readonly refused: string;
  /** Command lines of its own processes. */
  readonly program: RegExp;
}

/** What the model says: words, or one call of the agent's shell. */
export type Say = { readonly text: string } | { readonly shell: string };

export interface StoryRequest {
  /** `number` counts the model's requests from 0. */
  readonly model: (number: number) => Say;
  /** Words put before the agent: a sandbox, made for this TAMA_HOME. */
  readonly under?: (tamaHome: string) => readonly string[];
  /** Tama's own program is installed too, where the agent's hooks look for it. */
  readonly withProgram?: boolean;
}

export interface StoryRig extends AgentRig<unknown> {
  /** What the model was told of its calls, oldest first. */
  readonly told: () => readonly string[];
  /** All text of the model's requests, one by one. */
  readonly requests: () => readonly string[];
}

/** One thing after another; past the last the model says so and ends. */
export function inTurn(...says: readonly Say[]): StoryRequest["model"] {
  return (number) => says[number] ?? { text: "the script is over" };
}

/** The rig a test has open. */
export interface OpenRig {
  readonly open: (request: StoryRequest) => Promise<StoryRig>;
  readonly current: () => StoryRig | null;
  readonly close: () => Promise<void>;
}

/** Stories about one agent, left out where it cannot run; a rig that a test leaves open is closed after it. */
export function storiesOf(agent: StoryAgent, tell: (rig: OpenRig) => void): void {
  describe.skipIf(unavailable !== null)(
    `${agent.name}${unavailable === null ? "" : ` (skipped: ${unavailable})`}`,
    () => {
      let rig: StoryRig | null = null;
      const close = async (): Promise<void> => {
        await rig?.close();
        rig = null;
      };
      afterEach(close);
      const open = async (request: StoryRequest): Promise<StoryRig> => {
        rig = await agent.open(request);
        return rig;
      };
      tell({ open, close, current: () => rig });
    },
  );
}
