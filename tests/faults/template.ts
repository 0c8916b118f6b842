import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { declareHook, type HookToDeclare, makeWorld, type World } from "../journeys/tama-command.ts";

/** A world whose hooks are declared once, through the real command, and copied for each repetition. */
export interface Template {
  readonly world: World;
  readonly copy: () => World;
}

/** `commands` get the folder in which scripts may be written; they must find their own world by their environment (HOME). */
export async function makeTemplate(hooks: (world: World) => readonly HookToDeclare[]): Promise<Template> {
  const world = makeWorld();
  for (const hook of hooks(world)) await declareHook(world, hook);
  return {
    world,
    copy: () => {
      const copied = makeWorld();
      mkdirSync(copied.home, { mode: 0o700 });
      copyFileSync(join(world.home, "registry.json"), join(copied.home, "registry.json"));
      return copied;
    },
  };
}
