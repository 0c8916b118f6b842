import { cutMiddle } from "./printable.ts";

/**
 * Hides what looks like a secret in text that is kept on disk. The shapes are the well-known token forms; a word that only sits
 * beside `password=` and the like is hidden too. The first characters stay, so that a person can tell which key it was.
 */
export function maskSecrets(text: string): string {
  let masked = text;
  for (const shape of shapes) masked = masked.replace(shape, hide);
  return masked.replace(assigned, (_whole, name: string, sign: string, value: string) => {
    const quote = /^["']/.exec(value)?.[0] ?? "";
    return `${name}${sign}${quote}${hiddenMark}${quote}`;
  });
}

/**
 * Text of at most `bytes` UTF-8 bytes for a record, without its secrets: masked before it is cut, since half a secret is none that the mask
 * would know. Of a text far longer than that only its ends are masked; where they were cut apart falls away with the second cut.
 */
export function maskedCut(text: string, bytes: number): string {
  return cutMiddle(maskSecrets(cutMiddle(text, 4 * bytes)), bytes, Buffer.byteLength(text));
}

const hiddenMark = "[hidden by tama]";

function hide(found: string): string {
  return `${found.slice(0, 4)}${hiddenMark}`;
}

const shapes: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]|-(?!----)){0,16384}(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
  /\bsk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bxapp-[A-Za-z0-9-]{10,}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bwhsec_[A-Za-z0-9]{16,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpypi-[A-Za-z0-9_-]{20,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\bdop_v1_[a-f0-9]{40,}/g,
  /\bdckr_pat_[A-Za-z0-9_-]{20,}/g,
  /\bhooks\.slack\.com\/services\/[A-Za-z0-9/]{20,}/g,
  /\b\d{8,10}:AA[A-Za-z0-9_-]{32,}/g,
  /\b(?:SK|AC)[0-9a-f]{32}\b/g,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/g,
  /\bhv[sb]\.[A-Za-z0-9_-]{20,}/g,
  /\b(?:lin_api|ntn|sbp|gsk|rpa|r8|fw|shpat|shpss|glsa|sntrys)_[A-Za-z0-9]{20,}/g,
  /\b(?:xai|pplx|tvly|tskey-[a-z]{2,10})-[A-Za-z0-9]{20,}/g,
  /\bnvapi-[A-Za-z0-9_-]{40,}/g,
  /\b[MNO][A-Za-z\d_-]{23,25}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,}/g,
  /\blogin\s{1,4}\S{1,128}\s{1,4}password\s{1,4}\S{3,256}/g,
  /\bATATT[A-Za-z0-9_=-]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /\b[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,128}:[^\s/@]{3,256}@/g,
  /\b(?:Bearer|Basic|token) [A-Za-z0-9._~+/=-]{16,}/g,
];

/** A name that says it, a sign, and the value: in quotes up to their end, else one word. */
const assigned =
  /(password|passwd|secret|(?:api|access|private|account|secret|encryption)[_-]?key|(?:auth|access|refresh|session|api|id)[_-]?token)(["']?\s{0,4}[=:]\s{0,4})(?!["']?\[hidden)("[^"\n]{6,512}"|'[^'\n]{6,512}'|[^\s"',;]{6,512})/gi;
