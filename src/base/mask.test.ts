import { describe, expect, test } from "bun:test";
import { maskSecrets } from "./mask.ts";

/** Made up, each in the shape its maker documents, and put together here so that no scanner takes this file for a leak. */
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const secrets: readonly (readonly [name: string, secret: string])[] = [
  ["OpenAI", `sk-proj-${letters.slice(0, 40)}`],
  ["Anthropic", `sk-ant-api03-${letters.slice(0, 40)}-AA`],
  ["GitHub", `ghp_${letters.slice(10, 46)}`],
  ...["gho", "ghu", "ghs", "ghr"].map((kind) => [`GitHub, ${kind}`, `${kind}_${letters.slice(10, 46)}`] as const),
  ["GitHub, fine-grained", `github_pat_${letters.slice(0, 22)}_${letters.slice(0, 40)}`],
  ["GitLab", `glpat-${letters.slice(0, 20)}`],
  ["AWS key id", `AKIA${"A1B2C3D4E5F6G7H8"}`],
  ...["ASIA", "ABIA", "ACCA"].map((kind) => [`AWS, ${kind}`, `${kind}A1B2C3D4E5F6G7H8`] as const),
  ["Google", `AIza${letters.slice(0, 35)}`],
  ["Google OAuth", `ya29.${letters.slice(0, 40)}`],
  ["Slack", `xoxb-${"123456789012"}-${letters.slice(0, 24)}`],
  ...["a", "e", "o", "p", "r", "s"].map(
    (kind) => [`Slack, ${kind}`, `xox${kind}-12345-${letters.slice(0, 24)}`] as const,
  ),
  ["Slack app", `xapp-1-${letters.slice(0, 24)}`],
  ["Slack webhook", `https://hooks.slack.com/services/T0AAAAAAA/B0BBBBBBB/${letters.slice(0, 24)}`],
  ["Stripe", `sk_live_${letters.slice(0, 24)}`],
  ...["sk_test", "rk_live", "rk_test", "whsec"].map(
    (kind) => [`Stripe, ${kind}`, `${kind}_${letters.slice(0, 24)}`] as const,
  ),
  ["npm", `npm_${letters.slice(0, 36)}`],
  ["PyPI", `pypi-${letters.slice(0, 40)}`],
  ["Hugging Face", `hf_${letters.slice(0, 34)}`],
  ["SendGrid", `SG.${letters.slice(0, 22)}.${letters.slice(0, 43)}`],
  ["DigitalOcean", `dop_v1_${"0a1b2c3d".repeat(8)}`],
  ["Docker", `dckr_pat_${letters.slice(0, 27)}`],
  ["Atlassian", `ATATT3x${letters.slice(0, 40)}`],
  ["Telegram", `123456789:AA${letters.slice(0, 33)}`],
  ["Twilio", `SK${"0a1b2c3d".repeat(4)}`],
  ["Vault", `hvs.${letters.slice(0, 24)}`],
  ["Twilio, an account", `AC${"0a1b2c3d".repeat(4)}`],
  ["Vault, a batch token", `hvb.${letters.slice(0, 24)}`],
  ...["ntn", "sbp", "rpa", "r8", "fw", "shpat", "shpss", "glsa", "sntrys"].map(
    (kind) => [`one that begins with ${kind}_`, `${kind}_${letters.slice(0, 40)}`] as const,
  ),
  ["Linear", `lin_api_${letters.slice(0, 40)}`],
  ["Groq", `gsk_${letters.slice(0, 52)}`],
  ["xAI", `xai-${letters}`],
  ...["pplx", "tvly", "tskey-auth"].map((kind) => [`one that begins with ${kind}-`, `${kind}-${letters}`] as const),
  ["NVIDIA", `nvapi-${letters}`],
  ["age", `AGE-SECRET-KEY-1${"Q2W3E4R5".repeat(7)}`],
  ["a JWT", `eyJ${letters.slice(0, 20)}.eyJ${letters.slice(0, 30)}.${letters.slice(0, 43)}`],
  ["Discord", `MTk4${letters.slice(0, 20)}.Cl2FMQ.${letters.slice(0, 27)}`],
];

describe("tokens by their shape", () => {
  for (const [name, secret] of secrets) {
    test(name, () => {
      for (const text of [secret, `a ${secret} b`, `{"x":"${secret}"}`, `X=${secret}\n`, `(${secret})`]) {
        const masked = maskSecrets(text);
        expect(masked).toContain("[hidden by tama]");
        expect(masked).not.toContain(secret.slice(-12));
      }
    });
  }
});

describe("values beside a name that says it", () => {
  for (const [text, masked] of [
    ["password=hunter2hunter2", "password=[hidden by tama]"],
    ["DB_PASSWORD: hunter2hunter2 # x", "DB_PASSWORD: [hidden by tama] # x"],
    ['{"password": "two words here", "a": 1}', '{"password": "[hidden by tama]", "a": 1}'],
    ["API_KEY='abcd1234'", "API_KEY='[hidden by tama]'"],
    ["aws_secret_access_key = wJalr/XUtn+FEMI", "aws_secret_access_key = [hidden by tama]"],
    ["aws_session_token=Fwo//abcdef", "aws_session_token=[hidden by tama]"],
    ["AccountKey=abcdef0123456==;X", "AccountKey=[hidden by tama];X"],
    ["postgres://me:hunter22@db/x", "post[hidden by tama]db/x"],
    ["Authorization: Bearer abcdefghij0123456789", "Authorization: Bear[hidden by tama]"],
    ["machine x login me password hunter2", "machine x logi[hidden by tama]"],
  ] as const)
    test(text, () => expect(maskSecrets(text)).toBe(masked));
});

test("a private key is hidden whole, also a torn one", () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabc+/=\n`;
  expect(maskSecrets(`a\n${key}-----END RSA PRIVATE KEY-----\nb`)).toBe("a\n----[hidden by tama]\nb");
  expect(maskSecrets(`a\n${key}`)).not.toContain("MIIE");
});

test("what is masked once is not masked again, and ordinary words stay", () => {
  const once = maskSecrets("password=hunter2hunter2 ghp_".concat(letters.slice(0, 36)));
  expect(maskSecrets(once)).toBe(once);
  for (const text of [
    "the password was wrong",
    "secretary: Ann",
    "error: 1Password: failed to fill whole buffer",
    "fc_layer_weights_initializer = None",
    "key-management-service-of-the-company",
    "commit 0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d",
    "0198c2f4-7d1e-7c3a-9b1f-2f6d1f3f9a11",
    "http://127.0.0.1:8080/a",
    "task-list-of-the-day, risk-assessment-for-the-project",
  ])
    expect(maskSecrets(text)).toBe(text);
});

test("no text of two mebibytes takes long, whatever it repeats", () => {
  for (const part of [
    "a",
    "a-",
    "password ",
    "a://b",
    "x:",
    "sk-",
    "eyJaaaaaaaaaa.",
    "-----BEGIN PRIVATE KEY-----\n",
    "ab+",
  ]) {
    const text = part.repeat(Math.ceil((2 * 1024 * 1024) / part.length));
    const from = performance.now();
    maskSecrets(text);
    expect([part, performance.now() - from < 3000]).toEqual([part, true]);
  }
});
