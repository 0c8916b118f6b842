import type { Branch } from "./tree.ts";

/** What may stand behind some words of a command line: the next words, or a command's flags. */
export interface Offer {
  /** `hooks declare`; empty for the program alone. */
  readonly behind: string;
  readonly words: readonly string[];
  readonly says: Readonly<Record<string, string>>;
}

/** Everything the tree and its commands offer, from the same data that help is written from. */
export async function offersOf(tree: readonly Branch[]): Promise<readonly Offer[]> {
  const shown = tree.filter((branch) => branch.hidden !== true);
  const offers = new Map<string, Map<string, string>>();
  const add = (behind: string, word: string, says: string): void => {
    const words = offers.get(behind) ?? new Map<string, string>();
    if (!words.has(word)) words.set(word, says);
    offers.set(behind, words);
  };
  for (const { words, says, load } of shown) {
    for (const [at, word] of words.entries())
      add(words.slice(0, at).join(" "), word, at === words.length - 1 ? says : "");
    const { args } = await load();
    for (const [name, arg] of Object.entries(args)) {
      if (arg.type !== "positional") add(words.join(" "), `--${name}`, arg.description ?? "");
      else for (const word of named(arg.description ?? "")) add(words.join(" "), word, "");
    }
    add(words.join(" "), "--help", "what this command does");
  }
  return [...offers].map(([behind, words]) => ({ behind, words: [...words.keys()], says: Object.fromEntries(words) }));
}

/** The values a word's description lists: `omp, claude-code, codex` or `bash, zsh or fish`. A description in prose lists none. */
function named(description: string): readonly string[] {
  const values = description.replace(/, …$/, "").split(/, | or /);
  return values.length > 1 && values.every((value) => /^[a-z][a-z-]*$/.test(value)) ? values : [];
}

/** A script by shell's name. Each walks the words before the cursor: those that are no flags name the command. */
export const scripts: Readonly<Record<string, (offers: readonly Offer[]) => string>> = { bash, zsh, fish };

function bash(offers: readonly Offer[]): string {
  const cases = offers.map(({ behind, words }) => `    ${quoted(behind)}) offer=${quoted(words.join(" "))} ;;`);
  return `# tama completions bash
_tama() {
  local at word path="" offer="" known
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    case $word in
      -*) continue ;;
    esac
    known="\${path:+$path }$word"
    case $known in
      ${offers
        .filter(({ behind }) => behind !== "")
        .map(({ behind }) => quoted(behind))
        .join("|")}) path=$known ;;
    esac
  done
  case $path in
${cases.join("\n")}
  esac
  # A value of a flag, or words nobody knows: files.
  COMPREPLY=($(compgen -W "$offer" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tama tama
`;
}

function zsh(offers: readonly Offer[]): string {
  const cases = offers.map(({ behind, words, says }) => {
    const items = words.map((word) => quoted(`${word.replaceAll(":", "\\:")}${says[word] ? `:${says[word]}` : ""}`));
    return `    ${quoted(behind)}) offer=(${items.join(" ")}) ;;`;
  });
  return `#compdef tama
# tama completions zsh
_tama() {
  local at word path_words="" known
  local -a offer
  for ((at = 2; at < CURRENT; at++)); do
    word=\${words[at]}
    [[ $word == -* ]] && continue
    known="\${path_words:+$path_words }$word"
    case $known in
      ${offers
        .filter(({ behind }) => behind !== "")
        .map(({ behind }) => quoted(behind))
        .join("|")}) path_words=$known ;;
    esac
  done
  case $path_words in
${cases.join("\n")}
  esac
  _describe tama offer || _files
}
compdef _tama tama
`;
}

function fish(offers: readonly Offer[]): string {
  const lines = offers.flatMap(({ behind, words, says }) =>
    words.map((word) => {
      const item = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      const description = says[word] ? ` -d ${quoted(says[word]).replaceAll(`'\\''`, `\\'`)}` : "";
      return `complete -c tama -n '__tama_behind ${behind}' ${item}${description}`;
    }),
  );
  const known = offers.map(({ behind }) => quoted(behind)).join(" ");
  return `# tama completions fish
function __tama_behind
  set -l known ${known}
  set -l at ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$at $word")
    contains -- "$next" $known; and set at $next
  end
  test "$at" = "$argv"
end
${lines.join("\n")}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
