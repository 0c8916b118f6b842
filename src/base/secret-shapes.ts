/** A form of secret, and plain words one of which stands in whatever it matches: they are found in a hundredth of the form's time. */
export interface SecretShape {
  readonly words: readonly string[];
  readonly form: RegExp;
}

/** A token that begins with one of some words. */
function beginning(words: string, rest: string): SecretShape {
  const begins = words.split(" ");
  const spelled = begins.map((word) => word.replaceAll(".", "\\."));
  return { words: begins, form: new RegExp(`\\b(?:${spelled.join("|")})${rest}`, "g") };
}

function holding(words: string, form: RegExp): SecretShape {
  return { words: words.split(" "), form };
}

export const secretShapes: readonly SecretShape[] = [
  holding(
    "-----BEGIN",
    /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]|-(?!----)){0,16384}(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
  ),
  beginning("sk-", "[A-Za-z0-9_-]{16,}"),
  beginning("ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9]{20,}"),
  beginning("github_pat_", "[A-Za-z0-9_]{20,}"),
  beginning("glpat-", "[A-Za-z0-9_-]{16,}"),
  beginning("AKIA ASIA ABIA ACCA", "[A-Z0-9]{16}\\b"),
  beginning("AIza", "[A-Za-z0-9_-]{30,}"),
  beginning("ya29.", "[A-Za-z0-9_-]{20,}"),
  beginning("xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs-", "[A-Za-z0-9-]{10,}"),
  beginning("xapp-", "[A-Za-z0-9-]{10,}"),
  beginning("rk_live_ rk_test_ sk_live_ sk_test_", "[A-Za-z0-9]{16,}"),
  beginning("whsec_", "[A-Za-z0-9]{16,}"),
  beginning("npm_", "[A-Za-z0-9]{30,}"),
  beginning("pypi-", "[A-Za-z0-9_-]{20,}"),
  beginning("hf_", "[A-Za-z0-9]{20,}"),
  beginning("SG.", "[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}"),
  beginning("dop_v1_", "[a-f0-9]{40,}"),
  beginning("dckr_pat_", "[A-Za-z0-9_-]{20,}"),
  beginning("hooks.slack.com/services/", "[A-Za-z0-9/]{20,}"),
  holding(":AA", /\b\d{8,10}:AA[A-Za-z0-9_-]{32,}/g),
  beginning("SK AC", "[0-9a-f]{32}\\b"),
  beginning("AGE-SECRET-KEY-1", "[A-Z0-9]{20,}"),
  beginning("hvs. hvb.", "[A-Za-z0-9_-]{20,}"),
  beginning("lin_api_ ntn_ sbp_ gsk_ rpa_ r8_ fw_ shpat_ shpss_ glsa_ sntrys_", "[A-Za-z0-9]{20,}"),
  beginning("xai- pplx- tvly-", "[A-Za-z0-9]{20,}"),
  holding("tskey-", /\btskey-[a-z]{2,10}-[A-Za-z0-9]{20,}/g),
  beginning("nvapi-", "[A-Za-z0-9_-]{40,}"),
  // Any text with a dot in it may be one of Discord's.
  holding(".", /\b[MNO][A-Za-z\d_-]{23,25}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,}/g),
  holding("login", /\blogin\s{1,4}\S{1,128}\s{1,4}password\s{1,4}\S{3,256}/g),
  beginning("ATATT", "[A-Za-z0-9_=-]{20,}"),
  beginning("eyJ", "[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}"),
  holding("://", /\b[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,128}:[^\s/@]{3,256}@/g),
  beginning("Bearer Basic token", " [A-Za-z0-9._~+/=-]{16,}"),
];
