/**
 * The environment a hook gets: everything of the harness's but what could take over a Bun program, unlock a model, or talk in the
 * harness's name (contract 1). The lists are data; a name ending in `*` stands for every name that begins so.
 */
export function scrubbed(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && !isWithheld(name)) kept[name] = value;
  return kept;
}

function isWithheld(name: string): boolean {
  return withheld.some((shape) => (shape.endsWith("*") ? name.startsWith(shape.slice(0, -1)) : name === shape));
}

const runtimeTakeovers = ["BUN_*", "NODE_OPTIONS", "TAMA_BIRTH"];

const modelKeys = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "OPENAI_API_KEY",
  "OPENAI_ADMIN_KEY",
  "CODEX_API_KEY",
  "AZURE_OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "OPENROUTER_API_KEY",
  "LITELLM_API_KEY",
  "LITELLM_MASTER_KEY",
  "MISTRAL_API_KEY",
  "GROQ_API_KEY",
  "XAI_API_KEY",
  "DEEPSEEK_API_KEY",
  "CEREBRAS_API_KEY",
  "TOGETHER_API_KEY",
  "FIREWORKS_API_KEY",
  "PERPLEXITY_API_KEY",
  "COHERE_API_KEY",
  "HF_TOKEN",
  "HUGGINGFACE_API_KEY",
  "REPLICATE_API_TOKEN",
  "MOONSHOT_API_KEY",
  "KIMI_API_KEY",
  "ZAI_API_KEY",
  "MINIMAX_API_KEY",
  "DASHSCOPE_API_KEY",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AI_GATEWAY_API_KEY",
  "OPENCODE_API_KEY",
];

const harnessTokens = ["CLAUDE_CODE_MESSAGING_*", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ACCESS_TOKEN"];

const withheld = [...runtimeTakeovers, ...modelKeys, ...harnessTokens];
