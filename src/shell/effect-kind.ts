/**
 * What a call can do to the answers of later calls (design: gates, "What could have changed the answer").
 * `changes` = known to change state; `reads` = known to change nothing; `waits` = asks a process this session started,
 * or `tama wait`, for more; `unknown` = everything else. A wrong `reads` makes a false refusal, a wrong `changes` or
 * `unknown` only lets a repeated look pass: where in doubt, it is `unknown`.
 */
export type Effect = "changes" | "reads" | "waits" | "unknown";
