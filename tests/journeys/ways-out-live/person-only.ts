import { expect } from "bun:test";
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attested, shell, write } from "./acts.ts";
import { printed, printedLine } from "./printed.ts";
import type { Place, Play } from "./seat.ts";

/** What the session may not do itself: a person runs what the refusal prints, at their own terminal. */
const atTheirOwn = "a person runs it at their own terminal: ";

/** The session is refused the line, a person runs what is printed, and the session goes on. */
function byPerson(line: (place: Place) => string, done: (place: Place) => Promise<void> | void): Play {
  return async function* (place) {
    const refused = yield shell(line(place));
    expect(refused).toContain("BLOCKED: block-gate-tampering: ");
    await place.person(printedLine(refused, atTheirOwn).slice(atTheirOwn.length));
    await done(place);
    expect(yield shell("touch after-the-person.txt")).not.toContain("BLOCKED");
    return attested("The person did their part, and I did mine.");
  };
}

async function declared({ person }: Place): Promise<string> {
  return (await person("tama hooks declared")).stdout;
}

const hook = (id: string, command: string): string =>
  JSON.stringify({
    id,
    says: "a hook of a test",
    on: [{ event: "tool_call", tools: ["*"] }],
    program: { command: [command] },
  });

export const tampering: Readonly<Record<string, Play>> = {
  "block-gate-tampering: a person withdraws the gate": byPerson(
    () => "tama hooks withdraw block-idle-answer",
    async (place) => {
      expect(await declared(place)).not.toContain("block-idle-answer");
      await place.person("tama hooks declare block-idle-answer");
    },
  ),
  "block-gate-tampering: a person declares a hook whose file has a space in its name": byPerson(
    ({ work }) => {
      writeFileSync(join(work, "it's a hook.json"), hook("added-by-a-person", "/bin/true"));
      return `tama hooks declare --file "${work}/it's a hook.json"`;
    },
    async (place) => {
      expect(await declared(place)).toContain("added-by-a-person");
      await place.person("tama hooks withdraw added-by-a-person");
    },
  ),
  "block-gate-tampering: a person runs a line that writes Tama's state": byPerson(
    ({ tamaHome }) => `printf '# %s\\n' "what's attested" > ${tamaHome}/attested-draft.md`,
    ({ tamaHome }) => {
      expect(readFileSync(join(tamaHome, "attested-draft.md"), "utf8")).toBe("# what's attested\n");
      rmSync(join(tamaHome, "attested-draft.md"));
    },
  ),
  "block-gate-tampering: a person edits the file themselves": async function* ({ tamaHome }) {
    const file = join(tamaHome, "edited-draft.md");
    const refused = yield write(file, "# nothing\n");
    expect(refused).toContain(`a person edits ${file} themselves`);
    writeFileSync(file, "# nothing\n");
    expect(yield shell(`cat ${file}`)).toContain("# nothing");
    rmSync(file);
    return attested("The person wrote the file.");
  },
};

/** Faults: nothing was judged, and a person says how it goes on. */
export const faults: Readonly<Record<string, Play>> = {
  "a hook that judges nothing: the operator withdraws it": async function* ({ person, tools, work }) {
    tools.put("judges-nothing", "exit 1");
    writeFileSync(join(work, "broken.json"), hook("judges-nothing", join(tools.folder, "judges-nothing")));
    await person(`tama hooks declare --file ${work}/broken.json`);
    const refused = yield shell("touch unjudged.txt");
    expect(refused).toContain("TAMA_HOOK_INFRASTRUCTURE");
    await person(printed(refused, "tama hooks withdraw "));
    expect(yield shell("touch unjudged.txt")).not.toContain("TAMA_HOOK_INFRASTRUCTURE");
    return attested("It is judged again.");
  },
  "a hook that gives no reason: `tama hooks declared` tells what it checks": async function* ({ person, tools, work }) {
    tools.put("says-nothing", "case $(cat) in *secret*) exit 2;; esac");
    writeFileSync(join(work, "silent.json"), hook("says-nothing", join(tools.folder, "says-nothing")));
    await person(`tama hooks declare --file ${work}/silent.json`);
    const refused = yield shell("touch secret.txt");
    expect(yield shell(printed(refused, "tama hooks declared"))).toContain("says-nothing");
    await person("tama hooks withdraw says-nothing");
    return attested("The hook of the person says no.");
  },
  "a broken line of the transcript, met by a look: the operator accepts it": async function* ({ person, transcript }) {
    yield shell("echo torn one");
    appendFileSync(transcript(), "\u0000\u0000 torn\n");
    const refused = yield shell("echo torn two");
    expect(refused).toContain("cannot be read as records, so whether this call repeats a look cannot be told");
    await person(accepting(refused));
    expect(yield shell("echo torn two")).toContain("torn two");
    return attested("The folders are looked through.");
  },
  ...Object.fromEntries(
    ["failed-calls", "started-calls"].map((kept): [string, Play] => [
      `${kept} that cannot be decoded: the operator moves the record aside`,
      async function* ({ person, tamaHome }) {
        yield shell(`cat no-${kept}.txt`);
        yield shell(`echo ${kept} one`);
        const record = newestOf(join(tamaHome, kept));
        writeFileSync(record, "{ torn");
        const refused = yield shell(`echo ${kept} two`);
        expect(refused).toContain("TAMA_HOOK_INFRASTRUCTURE");
        await person(printedLine(refused, "mv "));
        expect(yield shell(`echo ${kept} two`)).toContain(`${kept} two`);
        return attested("The folders are looked through.");
      },
    ]),
  ),
  "Oko's register that cannot be decoded: the operator moves it aside": async function* ({ person }) {
    yield shell("cat no-register.txt");
    await person("mkdir -p ~/.oko && echo '{ torn' > ~/.oko/defects.json");
    const refused = yield shell("cat no-register.txt");
    expect(refused).toContain("cannot decode Oko's register");
    await person(printedLine(refused, "mv "));
    expect(yield shell("cat no-register.txt")).toContain("this session's same call was failed at ");
    return attested("There is no such file.");
  },
  "a session record that cannot be decoded while the registry is gone: the operator moves it aside": async function* ({
    person,
    tamaHome,
  }) {
    yield shell("echo session one");
    writeFileSync(newestOf(join(tamaHome, "sessions")), "{ torn");
    rmSync(join(tamaHome, "registry.json"));
    const refused = yield shell("echo session two");
    expect(refused).toContain("TAMA_HOOK_INFRASTRUCTURE");
    await person(printedLine(refused, "mv "));
    expect(yield shell("echo session two")).toContain("session two");
    await person("tama hooks declare --preset strict");
    return attested("Both are said.");
  },
  "a registry that cannot be decoded: moved aside, and declared again": async function* ({ person, tamaHome, work }) {
    yield shell("echo undecoded one");
    writeFileSync(join(tamaHome, "registry.json"), "{ torn");
    const refused = yield shell("echo undecoded two");
    expect(refused).toContain("TAMA_HOOK_INFRASTRUCTURE");
    await person(printedLine(refused, "mv "));
    writeFileSync(join(work, "again.json"), hook("declared-again", "/bin/true"));
    await person(printedLine(refused, "tama hooks declare ").replace("<declaration>", join(work, "again.json")));
    expect(yield shell("echo undecoded two")).toContain("undecoded two");
    await person("tama hooks withdraw declared-again && tama hooks declare --preset strict");
    return attested("The folders are looked through.");
  },
  "a registry that is gone: that the hooks are off is said": async function* ({ person, tamaHome }) {
    yield shell("echo gone one");
    rmSync(join(tamaHome, "registry.json"));
    const refused = yield shell("echo gone two");
    expect(refused).toContain("registry.json is gone");
    await person(printedLine(refused, "tama hooks withdraw "));
    expect(yield shell("echo gone two")).toContain("gone two");
    await person("tama hooks declare --preset strict");
    return attested("The folders are looked through.");
  },
};

/** As above, where it is an ending that meets it. */
export const faultAtEnding: Readonly<Record<string, Play>> = {
  "a broken line of the transcript, met by an ending: the operator accepts it": async function* ({
    person,
    transcript,
  }) {
    yield shell("echo torn-end one");
    appendFileSync(transcript(), "\u0000\u0000 torn\n");
    const refused = yield attested("The folder is looked through.");
    expect(refused).toContain("cannot be read as records, so whether this ending repeats a refused one cannot be told");
    await person(accepting(refused));
    expect(yield shell("echo torn-end two")).toContain("torn-end two");
    return attested("Both folders are looked through.");
  },
};

function accepting(refused: string): string {
  return printed(refused, "tama transcript accept ").replace("<why it does not matter>", "I wrote that line myself");
}

function newestOf(folder: string): string {
  const files = [...new Bun.Glob("*.json").scanSync({ cwd: folder, absolute: true })];
  const [newest] = files.sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  if (newest === undefined) throw new Error(`nothing is kept in ${folder}`);
  return newest;
}
