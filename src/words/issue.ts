import type * as v from "valibot";

/** One schema issue as `place: expected X, got Y`. */
export function describeIssue(root: string, issue: v.BaseIssue<unknown>): string {
  const place = [root, ...(issue.path ?? []).map((item) => String(item.key))].join(".");
  if (issue.type === "check") return `${place}: ${issue.message}`;
  if (issue.received === "undefined") return `${place}: missing`;
  if (issue.type === "integer" || issue.type === "min_value")
    return `${place}: ${issue.message}, got ${issue.received}`;
  if (issue.type === "non_empty") return `${place}: must not be empty`;
  return `${place}: expected ${inWords(issue.expected ?? "another value")}, got ${inWords(issue.received)}`;
}

/** Valibot names a choice as `("a" | "b")`, and an object or a list by its class. */
function inWords(said: string): string {
  if (said === "Object") return "an object";
  if (said === "Array") return "a list";
  return /^\(.* \| .*\)$/.test(said) ? said.slice(1, -1).split(" | ").join(" or ") : said;
}
