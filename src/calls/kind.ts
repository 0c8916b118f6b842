/** What kind of tool a name is, by harness: data and its one reader (contract 2, `tool_call`: `kind`). */

export const toolKinds = ["shell", "process", "read", "search", "write", "other"] as const;
export type ToolKind = (typeof toolKinds)[number];

type Kinds = Readonly<Partial<Record<ToolKind, string>>>;

/** Names in lower case. A harness's own table is asked first, then ANY, for harnesses and plugins not listed here. */
const BY_HARNESS: Readonly<Record<string, Kinds>> = {
  omp: {
    shell: "bash",
    process: "hub",
    read: "read",
    search: "grep glob ast_grep search find",
    write: "write edit ast_edit",
    other: "eval task todo web_search ask debug github lsp checkpoint rewind yield goal think security_scan",
  },
  "claude-code": {
    shell: "bash powershell",
    process: "bashoutput taskoutput agentoutputtool killshell killbash taskstop monitor",
    read: "read notebookread readmcpresource readmcpresourcetool",
    search: "grep glob ls",
    write: "write edit multiedit notebookedit",
    other: "agent task toolsearch",
  },
  codex: {
    shell: "bash shell shell_command exec_command local_shell local_shell_call container.exec unified_exec",
    process: "write_stdin",
    read: "view_image read_file",
    search: "grep_files list_dir",
    write: "apply_patch",
    other: "update_plan get_goal spawn_agent exec wait",
  },
  gemini: {
    shell: "run_shell_command",
    process: "read_background_output list_background_processes",
    read: "read_file read_many_files",
    search: "list_directory glob grep_search search_file_content",
    write: "write_file replace edit",
    other: "web_fetch google_web_search save_memory write_todos",
  },
  opencode: {
    shell: "bash shell",
    read: "read",
    search: "glob grep list ls codesearch",
    write: "write edit multiedit patch apply_patch",
    other: "webfetch websearch todowrite todoread task skill question lsp",
  },
  pi: { shell: "bash", read: "read", search: "grep find ls", write: "write edit" },
};

const ANY: Kinds = {
  shell:
    "bash shell sh exec_command shell_command local_shell local_shell_call run_shell_command container.exec powershell " +
    "execute_command run_command run_terminal_cmd run_in_terminal run_terminal_command terminal execute_bash",
  process:
    "write_stdin bashoutput bash_output taskoutput killshell kill_shell killbash taskstop process get_terminal_output",
  read: "read read_file readfile view view_image cat open_file read_many_files notebookread",
  search:
    "grep glob ls find list list_directory list_dir list_files search_files file_search grep_search search_file_content codebase_search",
  write:
    "write edit multiedit multi_edit apply_patch applypatch patch notebookedit notebook_edit write_file writefile edit_file editfile " +
    "create_file replace replace_in_file write_to_file str_replace str_replace_editor search_replace insert_edit_into_file",
};

const TABLES: ReadonlyMap<string, ReadonlyMap<string, ToolKind>> = new Map(
  [...Object.entries(BY_HARNESS), ["", ANY] as const].map(([harness, kinds]) => [harness, flatten(kinds)] as const),
);

/** The kind of a tool; "other" for one no table names. The tool's name may be in any case. */
export function toolKind(harness: string, tool: string): ToolKind {
  const ofHarness = asked.get(harness) ?? new Map<string, ToolKind>();
  const known = ofHarness.get(tool);
  if (known !== undefined) return known;
  const name = tool.toLowerCase();
  const kind = TABLES.get(harness.toLowerCase())?.get(name) ?? TABLES.get("")?.get(name) ?? "other";
  if (ofHarness.size < ASKED_MOST && asked.size < ASKED_MOST) asked.set(harness, ofHarness.set(tool, kind));
  return kind;
}

/** A call's kind is asked for a dozen times, always by the same few names, just as they are written. */
const asked = new Map<string, Map<string, ToolKind>>();
/** Whoever makes up names of tools finds no room. */
const ASKED_MOST = 256;

function flatten(kinds: Kinds): ReadonlyMap<string, ToolKind> {
  const flat = new Map<string, ToolKind>();
  for (const kind of toolKinds) {
    for (const name of (kinds[kind] ?? "").split(" ")) if (name !== "") flat.set(name, kind);
  }
  return flat;
}

/** Every tool Tama knows by name, by harness, with its kind: what a declaration's words reach. */
export const knownTools: Readonly<Record<string, Readonly<Record<string, ToolKind>>>> = Object.fromEntries(
  Object.entries(BY_HARNESS).map(([harness, kinds]) => [harness, toolsOf(kinds)]),
);

function toolsOf(kinds: Kinds): Readonly<Record<string, ToolKind>> {
  const pairs = Object.entries(kinds).flatMap(([kind, names]) =>
    names.split(" ").map((name) => [name, kind as ToolKind] as const),
  );
  return Object.fromEntries(pairs);
}
