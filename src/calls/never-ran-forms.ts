/**
 * The sentences by which harnesses say that a call never ran, that it was cut off, or that a file must be read first:
 * data, by harness. Every form is anchored at the start of the result (or is its end, where the harness appends it), so
 * that a program's own output which holds such words is never taken for one. OMP's and Claude Code's are the sentences
 * in OMP 18.2.3 and Claude Code 2.1.332, with Codex 0.171.0 the ones its binary holds; where an older version of a
 * harness said it otherwise, that form stays.
 */
export interface ResultForms {
  readonly neverRan: readonly RegExp[];
  readonly interrupted: readonly RegExp[];
  readonly readFirst: readonly RegExp[];
}

/**
 * What stands before a refusal of ours, and before other hooks' refusals: Claude Code (2.1.332 also names the hook's
 * command in brackets), Codex, Gemini, OpenCode.
 */
const WRAPPED =
  "(?:<tool_use_error>)?(?:Error: )?(?:PreToolUse:\\S+ hook error: (?:\\[[^\\n]*\\]: )?|Command blocked by PreToolUse hook: |Tool execution blocked: )?";

/** The repeat rule's refusal. It ends with the earlier answer, so it may end as a command that ran does. */
export const REPEATED = new RegExp(`^${WRAPPED}this session's same call was (failed|refused|unanswered) at \\d{4}-`);

/** Our own refusals, under every harness. */
const OWN: readonly RegExp[] = [
  new RegExp(`^${WRAPPED}BLOCKED: `),
  REPEATED,
  new RegExp(`^${WRAPPED}TAMA_HOOK_INFRASTRUCTURE: `),
];

/** An edit that found its file changed by somebody else since this session read it. */
export const CHANGED_OUTSIDE: readonly RegExp[] = [
  /^(?:<tool_use_error>)?(?:Error: )?(?:The )?[Ff]ile (?:\S+ )?has been (?:unexpectedly )?modified since (?:it was last )?read\b/,
  /^(?:<tool_use_error>)?(?:Error: )?File content has changed since it was last read\b/,
  /^(?:<tool_use_error>)?(?:Error: )?File has been unexpectedly modified\. Read it again\b/,
];

const READ_FIRST: readonly RegExp[] = [
  ...CHANGED_OUTSIDE,
  /^(?:<tool_use_error>)?(?:Error: )?(?:The )?[Ff]ile (?:\S+ )?has not been read yet\b/,
  /^(?:Error: )?You must read (?:the )?file \S.* before (?:overwriting|editing)\b/,
];

const GENERIC: ResultForms = {
  neverRan: [
    ...OWN,
    /^Validation failed for tool "[^"\n]*"/,
    /^(?:Error: )?(?:Unknown tool|No such tool)\b/,
    /^(?:Error: )?Tool "?[\w.:-]+"? not found(?:$|\.| in )/,
    /^(?:Error: )?Invalid (?:tool )?(?:arguments|parameters) for tool\b/,
  ],
  interrupted: [/^Command aborted\.?$/, /^Operation aborted\.?$/, /^Tool execution aborted\.?$/],
  readFirst: READ_FIRST,
};

const OMP: ResultForms = {
  neverRan: [
    /^Tool (?:call )?was not executed because the (?:run|assistant|provider stream) /,
    /^Tool call was not executed because /,
    /^Tool execution was aborted(?:\.|: )/,
    /^Tool execution was blocked by an extension$/,
    /^Extension \S.* timed out after \d+ms$/,
    /^Extension \S[^\n]* failed: /,
    /^Extension failed, blocking execution: /,
    /^Tool call denied by user: /,
    /^Tool "[^"\n]+" is blocked by (?:tool|user) policy\./,
    /^Tool "[^"\n]+" (?:requires approval|has pending provider safety checks) but no interactive UI/,
    /^Skipped due to [^\n]*\. Do not count this skipped result as completed work/,
  ],
  interrupted: [/\n\n\[Command aborted\](?:\n\n\[[^\n]*\])?$/, /^\[Command cancelled\]/, /^Command aborted\n\n\[/],
  readFirst: [
    /^Missing hashline snapshot tag for /,
    /\. (?:Re-read the file with `read` to copy a current|If a prior edit in this session modified this file, copy) /,
  ],
};

/**
 * Claude Code's auto mode: something judges each call before it runs, and denies it or has no verdict ("temporarily
 * unavailable … try this action again"). Its field `toolDenialKind` is younger than the sentences and not in every record.
 */
const AUTO_MODE: readonly RegExp[] = [
  /^Permission for this action (?:was denied by the Claude Code auto mode classifier|has been denied)\. Reason: /,
  /^[^\n]*, so auto mode cannot determine the safety of \S/,
  /^[^\n]* gave no verdict for [^\n:]+: /,
  /^[^\n]*\. This is not a judgment (?:that the \w+ is unsafe|about the action)\b/,
  /^\S+ did not run\. [^\n]* gave no verdict because it was not shown this call\b/,
  /^\S+ did not run yet\. [^\n]* expected this call not to need a review\b/,
  /^This \S+(?: call)? was NOT run\. /,
  /^Auto mode could not evaluate this action and is blocking it for safety\b/,
  /^[^\n]* goes through a symlink\. Auto mode needs the real path: /,
  /^[^\n]*, not by the user\. The check stops removals\b/,
];

const CLAUDE_CODE: ResultForms = {
  neverRan: [
    /^PreToolUse:\S+ hook error: /,
    /^The user doesn't want to (?:proceed with this tool use|take this action right now)\b/,
    /^Permission to (?:use|read|edit|write) [^\n]* has been denied\b/,
    /^Permission for this tool use was denied\b/,
    /^Claude requested permissions? to [^\n]*, but you haven't granted it yet/,
    /^This (?:command|tool call|action) requires approval\b/,
    /^This tool call was refused and did not run\b/,
    /^(?:User denied permission|User rejected tool use|User aborted|User cancelled the (?:edit|write))$/,
    /^This \w+ command contains multiple operations\. The following parts? requires? approval: /,
    /^\S+ in '[^\n]*' was blocked\. For security, Claude Code may only /,
    /^(?:This command uses shell operators that|Commands that change directories and perform write operations) require\b/,
    /^(?:sed command|Shell expansion syntax in paths) requires (?:manual )?approval\b/,
    /^Hook PreToolUse:\S+ denied this tool$/,
    /^Tool permission request failed: /,
    /^\[Tool call (?:skipped|refused|not run|not made|not completed)\b/,
    /^<tool_use_error>(?:Blocked: |Cancelled: |Sibling tool call errored|InputValidationError: |Error: No such tool available: |Error: Streaming fallback - )/,
    /^(?:InputValidationError: |Error: No such tool available: |Cancelled: parallel tool call |Sibling tool call errored)/,
    /^(?:[A-Z]|mcp__)[\w-]+ was not run: /,
    ...AUTO_MODE,
  ],
  interrupted: [
    /^Exit code \d+\n\[Request interrupted by user for tool use\]/,
    /^\[Request interrupted: /,
    /^\[(?:Tool|Agent) call interrupted\b/,
    /^\[Tool call did not complete\b/,
    /^Interrupted: the response that made this tool call was stopped\b/,
    /^\[Tool result missing due to internal error\]$/,
  ],
  readFirst: [],
};

const CODEX: ResultForms = {
  neverRan: [
    /^Command blocked by PreToolUse hook: /,
    /^failed to parse (?:function|tool) arguments: /,
    /^unsupported (?:call|custom tool call): /,
    /^approval policy is \w+; reject command\b/,
    /^patch rejected: /,
    /^patch rejected by user/,
    /^exec(?: command)? rejected(?: by user)?/,
    /^command rejected\b/,
    /^rejected by user\b/,
    /^exec_command failed(?: for `[\s\S]*`)?: [^\n]*Rejected\(\\*"/,
    // Its sandbox did not start the program; where the system could not ("Io(Os", "Io(Error"), the call itself failed.
    /^execution error: Io\(Custom\b/,
  ],
  interrupted: [/^(?:command )?aborted(?: by user\b|$)/],
  readFirst: [],
};

const GEMINI: ResultForms = {
  neverRan: [
    /^Tool execution (?:blocked|denied)\b/,
    /^Tool (?:execution for )?"[^"\n]+" requires user confirmation\b/,
    /^(?:\[Operation Cancelled\] Reason: )?User (?:denied|did not allow|cancelled) (?:execution|tool call)/,
    /^(?:Error: )?(?:Invalid parameters provided|params must have required property)\b/,
    /^(?:Python c|C)ommand was cancelled by user before it could start/,
  ],
  interrupted: [
    /^Command was cancelled by user before it could complete/,
    /^\[Operation Cancelled\] Reason: User cancelled tool execution/,
  ],
  readFirst: [],
};

const OPENCODE: ResultForms = {
  neverRan: [
    /^(?:Error: )?The user rejected permission (?:to use this specific tool call|with feedback: )/,
    /^(?:Error: )?The user has specified a rule which prevents you from using this specific tool call/,
    /^(?:Error: )?(?:Permission denied by ruleset|Model tried to call unavailable tool\b)/,
    /^(?:Error: )?The \S+ tool was called with invalid arguments: /,
  ],
  interrupted: [
    /^(?:Error: )?Tool execution aborted/,
    /<bash_metadata>[^<]*User aborted the command[^<]*<\/bash_metadata>\s*$/,
  ],
  readFirst: [],
};

const PI: ResultForms = {
  neverRan: [
    /^Tool execution was blocked$/,
    /^Tool call was not executed because /,
    /^Skipped due to queued user message\.?$/,
  ],
  interrupted: [/\n\nCommand aborted$/],
  readFirst: [],
};

const BY_HARNESS: Readonly<Record<string, ResultForms>> = {
  omp: OMP,
  "claude-code": CLAUDE_CODE,
  codex: CODEX,
  gemini: GEMINI,
  opencode: OPENCODE,
  pi: PI,
};

const NONE: ResultForms = { neverRan: [], interrupted: [], readFirst: [] };

/** How a harness says that a command goes on behind the call, so that this is not its answer: Claude Code, Codex. */
export const STILL_RUNS: readonly RegExp[] = [
  /^Command (?:is )?running in background with ID: /,
  /^Command was (?:manually )?(?:backgrounded|moved to the background)\b/,
  /^(?:Chunk ID: [^\n]*\n)?(?:Wall time: [^\n]*\n)?Process running with session ID \d+/,
];

/** How Codex says that a call failed where it names no exit code, and where its sandbox names one in a sentence of its own. */
export const CODEX_FAILED: readonly RegExp[] = [
  /^apply_patch verification failed: /,
  /^error: (?:Failed to find expected lines|invalid (?:hunk|patch))\b/,
  /^(?:exec_command|write_stdin) failed(?: for `|: )/,
  /^execution error: /,
  /^failed in sandbox \S+ with execution error: /,
];

/** How a wait says that the process it asked about has ended: Claude Code, Codex. */
export const ENDED: readonly RegExp[] = [
  /^(?:<retrieval_status>[^\n]*\n\s*)?[\s\S]{0,400}<status>(?:completed|failed|killed)<\/status>/,
  /^(?:(?:Chunk ID|Wall time|Original token count): [^\n]*\n)*Process exited with code -?\d+/,
  /^Script (?:completed|failed)\nWall time /,
];

/** The forms of a harness together with those that count under every harness. */
export function formsOf(harness: string): ResultForms {
  const name = harness.toLowerCase();
  const own = Object.hasOwn(BY_HARNESS, name) ? (BY_HARNESS[name] ?? NONE) : NONE;
  return {
    neverRan: [...GENERIC.neverRan, ...own.neverRan],
    interrupted: [...GENERIC.interrupted, ...own.interrupted],
    readFirst: [...GENERIC.readFirst, ...own.readFirst],
  };
}
