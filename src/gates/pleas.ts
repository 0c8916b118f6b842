/** What a person is asked to do: acts and decisions. */
const ACTS =
  "run|execute|restart|install|deploy|apply|approve|confirm|choose|decide|pick|tell me|let me know|provide|paste|send|share|check|double-check|verify|test|try|review|merge|push|publish|grant|rotate|log in|sign in|advise|clarify|specify";
/** Words that may stand between a plea and its act. */
const BEFORE =
  "(?:(?:go ahead and|make sure to|be sure to|try to|also|then|now|first|just|manually|please|kindly)\\s+)?";
const ASKED =
  "decision|approval|confirmation|input|reply|answer|go-ahead|choice|permission|consent|credentials|password";

const POLISH_ACTS =
  "uruchomi\\S*|wykona\\S*|zainstalowa\\S*|zrestartowa\\S*|potwierdzi\\S*|wybra\\S*|zdecydowa\\S*|zalogowa\\S*|nada\\S*|scali\\S*|wdroży\\S*";
const START = '(?:^|[\\s(„"])';

/** A sentence with which an ending asks the person to run or decide something. */
interface Plea {
  /** One of these stands in every text that the form fits, in lower case. */
  readonly cues: readonly string[];
  readonly form: RegExp;
  /** The same in many sentences at once, each at the start of a line. */
  readonly anywhere: RegExp;
}

function plea(cues: string, form: RegExp): Plea {
  const anywhere = new RegExp(form.source, `${form.flags.replace("m", "")}m`);
  return { cues: cues.split("|"), form, anywhere };
}

/**
 * Sentences with which an ending asks the person to run or decide something: data, in English and Polish, judged by replay. Each is
 * looked for in the answer's prose, not in its code, quotes or headings. What stands between two words has an end, so that no text takes
 * longer than its length.
 */
export const PLEAS: readonly Plea[] = [
  // To run or do something.
  plea("please|kindly", new RegExp(`\\b(?:please|kindly),?\\s+${BEFORE}(?:${ACTS})\\b`, "i")),
  plea(
    "you|the operator",
    new RegExp(
      `\\b(?:you(?:'ll| will)?|the operator)\\s+(?:needs? to|ha(?:ve|s) to|must|should|can now|can then|will have to)\\s+(?!not\\b|never\\b)(?:\\w+\\s+){0,2}(?:${ACTS}|set)\\b`,
      "i",
    ),
  ),
  // What "the user" must confirm or may choose is mostly said of a program's users.
  plea(
    "the user",
    /\bthe user\s+(?:needs? to|ha(?:ve|s) to|must|should|will have to)\s+(?:\w+ly\s+)?(?:run|execute|restart|deploy)\b/i,
  ),
  plea(
    "could you|can you|would you|will you",
    new RegExp(`\\b(?:could|can|would|will) you\\s+${BEFORE}(?:${ACTS})\\b`, "i"),
  ),
  plea(
    "run this|run these|run the following",
    /\brun (?:this|these|the following)\s*(?:commands?|yourself|on your (?:machine|side|end)|:|$)/im,
  ),
  // To decide. An offer to answer questions is none.
  plea(
    "let me know",
    /\blet me know (?:if|whether|which|what|how|when)\b(?!\s+(?:you|there|anything|something|any)\b[^.?!\n]{0,300}\b(?:questions?|issues?|problems?|trouble|bugs?|else|help|need|wrong|unclear)\b)/i,
  ),
  plea("tell me", /^(?:just |then |please )?tell me (?:which|what|how|whether|if|when|where)\b/i),
  plea(
    "once you|when you|after you|as soon as you",
    /\b(?:once|when|after|as soon as) you(?:'ve| have)? [^.?!\n]{0,80}(?:, |\b)(?:tell me|let me know|ping me|say so)\b/i,
  ),
  plea(
    "reply|respond|answer",
    /^(?:just |please |then )?(?:reply|respond|answer)(?: with\b| [“`]|:? (?:yes|no|ok)\b)/i,
  ),
  plea(
    "confirm|approve|pick|choose|decide|say",
    /^(?:just |please )?(?:confirm|approve|pick|choose|decide|say)\b[^.?!\n]{0,80}(?:,|\band|\bthen) I(?:'ll| will| can)?\b/i,
  ),
  plea("need you to|needs you to", /\bneeds? you to\b(?! help)/i),
  plea(
    "can i|can we|could i|could we",
    /^(?:can|could) (?:I|we) (?:now |also |just )?(?:delete|remove|drop|overwrite|push|merge|commit|deploy|publish|proceed|continue|go ahead|start|do (?:it|that|this|so))\b[^.!\n]{0,300}\?/i,
  ),
  plea("next step", /^(?:the )?next steps? (?:for you|on your (?:side|end))(?:\s*[:–—-]|\s+(?:is|are)\b|$)/i),
  plea(
    "ready|yourself|on your",
    /^(?:then |now |just |simply |and )*run\b[^.?!\n]{0,120}\b(?:when(?:ever)? (?:you(?:'re| are) )?ready|yourself|on your (?:own )?(?:machine|side|end))\b/i,
  ),
  plea(
    "happy to|glad to|ready to",
    /(?:^|\bI(?:'m| am|'d be| would be) )(?:happy|glad|ready) to (?:continue|proceed|go (?:on|ahead)|push|merge|deploy|implement|start|do (?:it|that|so|this))\b[^.?!\n]{0,80}\b(?:if|when|once|whenever) you(?:'d|'re| are)?\b/i,
  ),
  plea("should i|should we|shall i|shall we|may i|may we", /\b(?:should|shall|may) (?:I|we)\b[^.?!\n]{0,300}\?/i),
  plea(
    "do you want|want me to",
    /\bdo you want\b[^.!\n]{0,300}\?|\bdo you want me to\b|^want me to\b|\bwant me to\b[^.!\n]{0,300}\?/i,
  ),
  plea(
    "want to|want that|want this|want it",
    /^want (?:to (?!know\b|learn\b|see\b|try\b|read\b|contribute\b|help\b)|that\b|this\b|it\b)[^.!\n]{0,300}\?/i,
  ),
  plea("which do you|which would you|which should", /\bwhich (?:do you|would you|should (?:I|we))\b[^.!\n]{0,300}\?/i),
  plea(
    "ready to",
    /^ready to (?:commit|merge|implement|proceed|start|push|deploy|kick off|continue|go ahead)\b[^.!\n]{0,300}\?/i,
  ),
  plea(
    "your preference|your choice|your decision|your instinct|your take|best for you",
    /\bwhat(?:'s| is) your (?:preference|choice|decision|instinct|take)\b[^.!\n]{0,300}\?|\bworks? best for you\b/i,
  ),
  plea(
    "thoughts|sound good|look good|what do you think",
    /^(?:thoughts\?|(?:does (?:that|this) )?(?:sound|look) good\?|what do you think\b[^.!\n]{0,300}\?)/i,
  ),
  plea(
    "any concerns|any objections|any preference|any adjustments|any tweaks",
    /^any (?:concerns|objections|preferences?|adjustments|tweaks)\b[^.!\n]{0,300}\?/i,
  ),
  plea("would you", /\bwould you (?:like|prefer|rather)\b/i),
  plea("do you want|do you prefer", /\b(?:how|what|where) do you (?:want|prefer)\b[^.!\n]{0,300}\?/i),
  plea(
    "which one|which option|which approach|which way|which of",
    /\bwhich (?:one|option|approach|way|of (?:these|them|the two))\b[^.?!\n]{0,300}\?/i,
  ),
  plea(
    "ok|alright|all right",
    /\b(?:ok(?:ay)?|all ?right)\s+(?:if I|for me to|to (?:proceed|go ahead|continue|merge|push|deploy|delete))\b[^.!\n]{0,300}\?/i,
  ),
  plea(
    "once you|when you|after you|as soon as you",
    /\b(?:[Oo]nce|[Ww]hen|[Aa]fter|[Aa]s soon as) you(?:'ve| have)? (?:approved?|confirm(?:ed)?|decided?|choose|chosen|tell me)\b[^.?!\n]{0,300}\bI(?:'ll| will| can| could| would)?\b/,
  ),
  plea(
    "awaiting your|waiting for your|pending your|need your",
    new RegExp(`\\b(?:awaiting|waiting for|pending|need) your (?:${ASKED})\\b`, "i"),
  ),
  plea(
    "your call|your turn|your court|up to you|over to you|say the word|is yours",
    /\b(?:your call(?! (?:to|of|is|and)\b)|your turn(?=[\s.,:;!]|$)|in your court|up to you|over to you(?=[\s.,:;!]|$)|(?<!\b(?:questions?|anything else|help)\b[^.?!\n]{0,60})say the word|(?:choice|decision) is yours)\b/i,
  ),
  // Po polsku.
  plea(
    "proszę|prosze",
    new RegExp(
      `${START}(?:proszę|prosze)\\s[^.?!\\n]{0,40}?(?:uruchom\\w*|wykona\\w*|zainstal\\w*|zrestart\\w*|potwierd\\w*|wybra\\w*|wybierz|zdecyd\\w*|sprawd\\w*|poda\\w*|wkle\\w*)`,
      "iu",
    ),
  ),
  plea(
    "uruchom|wykonaj|zainstaluj|zrestartuj|potwierdź|potwierdz|wybierz|zdecyduj|wklej",
    new RegExp(
      `${START}(?:uruchom|wykonaj|zainstaluj|zrestartuj|potwierdź|potwierdz|wybierz|zdecyduj|wklej)(?=[\\s:,.]|$)`,
      "imu",
    ),
  ),
  plea(
    "musisz|powinieneś|powinnaś|trzeba będzie|możesz teraz",
    new RegExp(
      `${START}(?:musisz|powinieneś|powinnaś|trzeba będzie|możesz teraz)\\s+(?:\\S+\\s+){0,2}(?:${POLISH_ACTS})`,
      "iu",
    ),
  ),
  plea("znać", new RegExp(`${START}(?:daj|dajcie|proszę dać) (?:mi )?znać(?=[\\s,.:]|$)`, "iu")),
  plea(
    "czy ",
    new RegExp(
      `${START}czy (?:mam|mogę|chcesz|chciałbyś|chciałabyś|wolisz|możesz|mógłbyś|mogłabyś)[\\s,][^.!\\n]{0,300}\\?`,
      "iu",
    ),
  ),
  // A question that names an act and nobody who does it: »Czy wdrożyć to teraz?«
  plea("czy", /^czy\s+(?:\S+\s+){0,2}\S+(?:ać|eć|ić|yć|uć|ąć|ść|źć)(?=[\s?,])[^.!\n]{0,300}\?/iu),
  plea(
    "mam|wolisz|chcesz",
    new RegExp(`${START}(?:jak|co|gdzie|kiedy) (?:mam|wolisz|chcesz)[\\s,][^.!\\n]{0,300}\\?`, "iu"),
  ),
  // »Mam zapisać zmiany?«
  plea(
    "mam ",
    /^(?:czy )?mam (?:to |teraz |też |już ){0,2}[^\s?]+(?:ać|eć|ić|yć|uć|ąć|ść|źć)(?=[\s?,])[^.!\n]{0,300}\?/iu,
  ),
  plea(
    "wybierasz|wolisz|preferujesz|mam|chcesz",
    new RegExp(
      `${START}któr\\p{L}{1,4} (?:[^.!?\\n]{0,80} )?(?:wybierasz|wolisz|preferujesz|mam|chcesz)(?=[\\s?,])[^.!\\n]{0,300}\\?`,
      "iu",
    ),
  ),
  plea(
    "powiedz|napisz|wskaż|określ",
    new RegExp(
      `${START}(?:powiedz|napisz|wskaż|określ)(?: mi| proszę)?,? (?:czy|jak|co|gdzie|kiedy|któr\\p{L}{1,4}) `,
      "iu",
    ),
  ),
  plea(
    "żebyś",
    new RegExp(
      `${START}(?:trzeba|potrzeba|potrzebuję|chciał\\p{L}{0,2}bym|proszę|poproszę|wystarczy), żebyś (?:[^.!?\\n]{0,40} )?(?:uruchomi|wykona|zainstalowa|zrestartowa|potwierdzi|wybra|zdecydowa|sprawdzi|poda|zatwierdzi|wdroży|zalogowa)\\p{L}{0,4}(?=[\\s,.:]|$)`,
      "iu",
    ),
  ),
  plea(
    "proszę o|poproszę o",
    new RegExp(
      `${START}(?:proszę|poproszę) o (?:twoj\\S* |twój )?(?:decyzj\\S*|zgod\\S*|potwierdzeni\\S*|odpowied\\S*|wyb[oó]r\\S*|akceptacj\\S*|zatwierdzeni\\S*|informacj\\S*|uruchomieni\\S*|sprawdzeni\\S*)`,
      "iu",
    ),
  ),
  plea(
    "którą|który|które",
    new RegExp(
      `${START}(?:którą|który|które) (?:opcję|opcja|wariant|sposób|rozwiązanie|z nich)[^.!\\n]{0,300}\\?`,
      "iu",
    ),
  ),
  plea(
    "czekam na|oczekuję na|potrzebuję",
    new RegExp(
      `${START}(?:czekam na|oczekuję na|potrzebuję) (?:(?:twoj\\S*|twój|pańsk\\S*|pana|pani) )?(?:decyzj\\S*|zgod\\S*|potwierdzeni\\S*|odpowied\\S*|wyb[oó]r\\S*|hasł\\S*)`,
      "iu",
    ),
  ),
  plea(
    "decyzja",
    new RegExp(`${START}(?:decyzja należy do (?:ciebie|pana|pani)|(?:twoja|pańska) decyzja)(?=[\\s,.]|$)`, "iu"),
  ),
];

/** The first sentence of an answer that is a plea, or null. */
export function pleaIn(answer: string): string | null {
  const sentences = sentencesOf(answer);
  const pleas = pleasOf(sentences.join(BETWEEN));
  return sentences.find((sentence) => pleas.some(({ form }) => form.test(sentence))) ?? null;
}

/** No plea reaches over it, and each sentence stands at the start of a line. */
const BETWEEN = "\n\0\n";

/**
 * The pleas that some sentence may be. Most answers hold none, and all sentences at once are looked through in a quarter of the time that
 * one after the other takes; a plain word is found in a tenth of a form's time.
 */
function pleasOf(whole: string): readonly Plea[] {
  const lower = inLowerCase(whole);
  return PLEAS.filter(({ cues, anywhere }) => cues.some((cue) => lower.includes(cue)) && anywhere.test(whole));
}

/** As a form sees letters: to one that knows Unicode a long s is an s. */
export function inLowerCase(text: string): string {
  return text.toLowerCase().replaceAll("ſ", "s");
}

/** The prose of an answer, sentence by sentence: without fences, inline code, quoted words, headings, emphasis and tags. */
function sentencesOf(answer: string): readonly string[] {
  return answer
    .replaceAll("’", "'")
    .replace(/^[ \t]*(```+|~~~+)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm, "\n")
    .replace(/^[ \t]*(?:>|#).*$/gm, "")
    .replace(/`[^`\n]*`/g, "`…`")
    .replace(/"[^"\n]*"|“[^”\n]*”|„[^”“\n]*[”“]|«[^»\n]*»|»[^«\n]*«/g, "“…”")
    .replace(/<\/?[a-z][^<>\n]*>/gi, "\n")
    .replace(/\*{1,3}|_{2,3}|~~/g, "")
    .split(/(?<=[.!?:])\s+|\n+|\s\|\s/)
    .map((sentence) => sentence.replace(/^[-*\d.)\s|[\]x]+/, "").trim())
    .filter((sentence) => sentence !== "");
}
