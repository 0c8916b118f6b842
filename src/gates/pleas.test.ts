import { expect, test } from "bun:test";
import fc from "fast-check";
import { inLowerCase, PLEAS } from "./pleas.ts";

const samples = [
  "Please, go ahead and run it",
  "you'll need to now then deploy",
  "THE OPERATOR must set it",
  "The user has to really run it",
  "Could you please check",
  "run these commands",
  "Let me know whether it fits",
  "Should we?",
  "Do you want me to?",
  "Want me to push?",
  "would you rather",
  "Where do you prefer it?",
  "Which of the two?",
  "All right to proceed?",
  "okay if I go on?",
  "As soon as you've confirmed it, I'll go on",
  "need your go-ahead",
  "the choice is yours",
  "Proſzę uruchom to",
  "POTWIERDŹ: tak",
  "Musiſz teraz nadać prawa",
  "proszę dać mi znać",
  "Czy mógłbyś to zrobić?",
  "Czy wdrożyć to teraz?",
  "Gdzie wolisz to mieć?",
  "Które z nich?",
  "Oczekuję na twoją decyzję",
  "decyzja należy do ciebie",
  "Tell me which of them",
  "Want to go with that?",
  "Which do you like?",
  "Ready to merge?",
  "What's your take on it?",
  "Thoughts?",
  "Any concerns?",
  "After you've restarted it, ping me",
  "Next steps for you:",
  "Just run it whenever you're ready",
  "I'm glad to do that once you agree",
  "Reply with yes",
  "Approve, I'll merge",
  "It needs you to log in",
  "Could we delete it?",
  "It is your turn",
  "Over to you",
  "Mam teraz zapisać to?",
  "Którego mam użyć?",
  "Napisz proszę, czy to zapisać",
  "Wystarczy, żebyś to potwierdził",
  "Poproszę o zgodę",
];

test("every plea has a sentence here, and a cue of its own stands in it", () => {
  for (const { form, cues } of PLEAS) {
    const own = samples.filter((sample) => form.test(sample));
    expect([form.source, own.length > 0]).toEqual([form.source, true]);
    for (const sample of own)
      expect([sample, cues.some((cue) => inLowerCase(sample).includes(cue))]).toEqual([sample, true]);
  }
});

test("no text is a plea without a cue, in whatever letters and however put together", () => {
  const words = [...new Set(samples.flatMap((sample) => sample.split(" ")))];
  const cased = fc
    .constantFrom(...words)
    .chain((word) => fc.constantFrom(word, word.toUpperCase(), word.toLowerCase()));
  const piece = fc.oneof(cased, fc.constantFrom(...samples));
  const text = fc
    .array(fc.tuple(piece, fc.constantFrom(" ", " ", "  ", "\n", ", ", "")))
    .map((all) => all.flat().join(""));
  fc.assert(
    fc.property(text, (said) => {
      const lower = inLowerCase(said);
      for (const { form, anywhere, cues } of PLEAS)
        if (form.test(said) || anywhere.test(said)) expect(cues.some((cue) => lower.includes(cue))).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
