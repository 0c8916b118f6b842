/**
 * Sentences with which an ending asks the person to run or decide something: data, in English and Polish, judged by replay. Each is
 * looked for in the answer's prose, not in its code, quotes or headings.
 */
const PLEAS: readonly RegExp[] = [
  // To run or do something.
  /\b(?:please|kindly)\s+(?:run|execute|restart|install|deploy|apply|approve|confirm|choose|decide|pick|tell me|let me know|provide|paste|send|share|check|verify|test|try)\b/i,
  /\b(?:you(?:'ll| will)?|the (?:user|operator))\s+(?:need to|have to|must|should|can now|can then|will have to)\s+(?:\w+\s+){0,2}(?:run|execute|restart|install|deploy|apply|approve|confirm|choose|decide|provide|set)\b/i,
  /\b(?:could|can|would|will) you\s+(?:please\s+|kindly\s+)?(?:run|execute|restart|install|deploy|apply|approve|confirm|choose|decide|tell|provide|paste|send|share|check|verify|test|try|let me know)\b/i,
  /\brun (?:this|these|the following)\s*(?:commands?|yourself|on your (?:machine|side|end)|:|$)/im,
  // To decide.
  /\blet me know (?:if|whether|which|what|how|when)\b/i,
  /\b(?:should|shall|may) I\b[^.?!\n]*\?/i,
  /\bdo you want me to\b/i,
  /\bwould you (?:like|prefer|rather)\b/i,
  /\bwhich (?:one|option|approach|way|of (?:these|them|the two))\b[^.?!\n]*\?/i,
  /\b(?:awaiting|waiting for|pending) your (?:decision|approval|confirmation|input|reply|answer|go-ahead|choice)\b/i,
  /\b(?:your call|up to you)\b/i,
  // Po polsku.
  /(?:^|[\s(„"])(?:proszę|prosze)\s[^.?!\n]{0,40}?(?:uruchom\w*|wykona\w*|zainstal\w*|zrestart\w*|potwierd\w*|wybra\w*|wybierz|zdecyd\w*|sprawd\w*|poda\w*|wkle\w*)/iu,
  /(?:^|[\s(„"])(?:uruchom|wykonaj|zainstaluj|zrestartuj|potwierdź|potwierdz|wybierz|zdecyduj|wklej)(?=[\s:,.]|$)/imu,
  /(?:^|[\s(„"])(?:musisz|powinieneś|powinnaś|trzeba będzie|możesz teraz)\s+(?:\S+\s+){0,2}(?:uruchomi\S*|wykona\S*|zainstalowa\S*|zrestartowa\S*|potwierdzi\S*|wybra\S*|zdecydowa\S*)/iu,
  /(?:^|[\s(„"])(?:daj|dajcie|proszę dać) (?:mi )?znać(?=[\s,.:]|$)/iu,
  /(?:^|[\s(„"])czy (?:mam|chcesz|chciałbyś|chciałabyś|wolisz|możesz|mógłbyś|mogłabyś)\s[^.!\n]*\?/iu,
  /(?:^|[\s(„"])(?:którą|który|które) (?:opcję|opcja|wariant|sposób|rozwiązanie|z nich)[^.!\n]*\?/iu,
  /(?:^|[\s(„"])(?:czekam na|oczekuję na) (?:twoją|twój|pańską|pana|pani)?\s*(?:decyzję|zgodę|potwierdzenie|odpowiedź|wybór)/iu,
];

/** The first sentence of an answer that is a plea, or null. */
export function pleaIn(answer: string): string | null {
  for (const sentence of sentencesOf(answer)) if (PLEAS.some((plea) => plea.test(sentence))) return sentence;
  return null;
}

/** The prose of an answer, sentence by sentence: without fences, inline code, quotes and headings. */
function sentencesOf(answer: string): readonly string[] {
  return answer
    .replace(/^[ \t]*(```+|~~~+)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm, "\n")
    .replace(/^[ \t]*(?:>|#).*$/gm, "")
    .replace(/`[^`\n]*`/g, "`…`")
    .split(/(?<=[.!?:])\s+|\n+/)
    .map((sentence) => sentence.replace(/^[-*\d.)\s]+/, "").trim())
    .filter((sentence) => sentence !== "");
}
