import type * as v from "valibot";

/** One schema issue as `place: expected X, got Y`. */
export function describeIssue(root: string, issue: v.BaseIssue<unknown>): string {
  const place = [root, ...(issue.path ?? []).map((item) => String(item.key))].join(".");
  if (issue.type === "check") return `${place}: ${issue.message}`;
  if (issue.received === "undefined") return `${place}: missing`;
  return `${place}: expected ${issue.expected ?? "another value"}, got ${issue.received}`;
}
