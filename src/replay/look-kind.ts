import { toolKind } from "../calls/kind.ts";
import { shellLine } from "../calls/shell-line.ts";
import { shellEffect } from "../shell/effect.ts";
import { simpleCommands } from "../shell/simple-commands.ts";
import { programBasename } from "../shell/wrappers.ts";

/** What a look looks at: files of this machine; processes, jobs, clocks and what lies on other machines; or what only a run can tell. */
export type LookKind = "local" | "outside" | "unknown";

/** `waited` = the session slept since it looked last: then it waits for something that changes without it, though that stands in a file. */
export function lookKind(harness: string, tool: string, input: unknown, waited: boolean): LookKind {
  const kind = ownKind(harness, tool, input);
  return waited && kind === "local" ? "outside" : kind;
}

/** A call that only lets time pass, or does so before it looks. */
export function sleeps(harness: string, tool: string, input: unknown): boolean {
  const line = toolKind(harness, tool) === "shell" ? (shellLine(input) ?? "") : "";
  return (
    line.includes("sleep") && (simpleCommands(line) ?? []).some((each) => programBasename(each.program) === "sleep")
  );
}

function ownKind(harness: string, tool: string, input: unknown): LookKind {
  switch (toolKind(harness, tool)) {
    case "read":
    case "search":
      return "local";
    case "shell":
      return lineKind(shellLine(input) ?? "");
    case "write":
    case "process":
    case "other":
      return /web|fetch/i.test(tool) ? "outside" : "unknown";
  }
}

function lineKind(line: string): LookKind {
  if (shellEffect(line) !== "reads") return "unknown";
  const commands = simpleCommands(line) ?? [];
  const outside = commands.some(({ program, words }) => {
    const name = programBasename(program);
    return OUTSIDE.has(name) || (name === "git" && REMOTE_GIT.test(words.join(" ")));
  });
  return outside ? "outside" : "local";
}

const REMOTE_GIT = /^git (?:\S+ )*(?:fetch|ls-remote|remote show)\b/;

/** Programs whose answer changes without this session: process, job, clock, network and service state. */
const OUTSIDE: ReadonlySet<string> = new Set(
  (
    "ps top htop pgrep pidof lsof ss netstat jobs uptime free vmstat iostat df date sleep wait curl wget http https gh glab hub kubectl " +
    "docker docker-compose podman nerdctl nc ncat telnet ping dig nslookup host whois systemctl journalctl service launchctl dmesg " +
    "nvidia-smi rocm-smi squeue sacct sinfo scontrol qstat aws gcloud gsutil az doctl flyctl fly vercel netlify heroku railway supabase " +
    "wrangler terraform pulumi ansible helm argocd ssh scp rsync adb xcrun redis-cli psql mysql mongosh sqlite3 tmux screen npm pnpm yarn " +
    "pip pip3 cargo who w last crontab at atq watch pm2 supervisorctl openssl ip ifconfig arp route traceroute mtr"
  ).split(" "),
);
