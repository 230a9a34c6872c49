/** The exact process of one start of Claude Code: the preview shows it, the runner starts it. */

import { MARKER_VARIABLE } from '@/lib/protocol/project-folder';
import type { StartSpec } from '@/lib/protocol/spec';
import { type Command, CommandError, type HostLayout } from '../agent';
import { builtInTools, MCP_SERVER_NAME, mcpTools } from './offered-tools';
import { takesPromptSnapshotFlag } from './versions';

/** Linux takes 131,072 bytes per argument with its closing zero byte. */
const MAX_ARGUMENT_BYTES = 128_000;

/**
 * @throws CommandError `argument_list` when one argument is longer than the operating system
 * allows.
 */
export function claudeCommand(spec: StartSpec, host: HostLayout): Command {
  const args = [
    ...host.binary.args,
    '-p',
    ...['--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
    ...(canAsk(spec) ? ['--input-format', 'stream-json'] : []),
    ...['--model', spec.model],
    ...conversationArgs(spec),
    ...permissionArgs(spec),
    ...toolArgs(spec, host),
    ...(spec.reportSchema === null ? [] : ['--json-schema', JSON.stringify(spec.reportSchema)]),
    ...systemPromptArgs(spec, host),
    ...['--mcp-config', host.mcpConfigFile, '--strict-mcp-config'],
    ...['--setting-sources', ''],
    // Rules grow with a project, and one argument is limited.
    ...['--settings', host.settingsFile],
    ...limitArgs(spec),
  ];
  for (const argument of args) checkLength(argument);
  return {
    file: host.binary.file,
    args,
    env: environment(spec, host),
    stdin: canAsk(spec) ? userMessage(spec.prompt) : withoutSlashCommand(spec.prompt),
    stdinStaysOpen: canAsk(spec),
    files: files(spec, host),
    ...(host.apiKey === undefined ? {} : { fd3: host.apiKey }),
  };
}

function conversationArgs({ continuation, cliSessionId }: StartSpec): string[] {
  const own = ['--session-id', cliSessionId];
  if (continuation.mode !== 'resume') return own;
  // Forked, so that the parent's conversation stays as it was and a retry starts clean.
  return ['--resume', continuation.parentCliSessionId, '--fork-session', ...own];
}

/** A question reaches a person only by lines on stdin and stdout. */
function canAsk({ questionWaitSeconds }: StartSpec): boolean {
  return questionWaitSeconds !== null;
}

function permissionArgs(spec: StartSpec): string[] {
  // `dontAsk` denies the question itself, regardless of the rules. `default` denies nothing on its
  // own: it asks about everything that no rule allows, and we deny all of it except the question.
  return canAsk(spec)
    ? ['--permission-mode', 'default', '--permission-prompt-tool', 'stdio']
    : ['--permission-mode', 'dontAsk'];
}

function toolArgs(spec: StartSpec, host: HostLayout): string[] {
  return [
    // One argument: a name that looked like a flag would be read as one otherwise.
    ...['--tools', builtInTools(spec).join(',')],
    ...(spec.writesHandoffFile ? ['--add-dir', host.stateDir] : []),
  ];
}

function systemPromptArgs(spec: StartSpec, host: HostLayout): string[] {
  // Without it tier 2 would work under tier 1's instructions.
  const fresh = takesPromptSnapshotFlag(host.cliVersion) ? ['--system-prompt-snapshot', 'off'] : [];
  if (spec.systemPrompt === '') return fresh;
  return ['--append-system-prompt-file', host.systemPromptFile, ...fresh];
}

function limitArgs({ limits }: StartSpec): string[] {
  const turns = ['--max-turns', String(limits.maxTurns)];
  if (limits.maxBudgetUsd === null) return turns;
  // Never in exponent form, and never rounded down to 0, which the CLI refuses.
  const usd = Math.max(limits.maxBudgetUsd, 0.000_001).toFixed(6);
  return [...turns, '--max-budget-usd', usd];
}

function files(spec: StartSpec, host: HostLayout): Command['files'] {
  const mcpServers = host.mcpServer === null ? {} : { [MCP_SERVER_NAME]: host.mcpServer };
  const made = [{ path: host.mcpConfigFile, content: JSON.stringify({ mcpServers }) }];
  made.push({ path: host.settingsFile, content: JSON.stringify(settings(spec, host)) });
  if (spec.systemPrompt !== '') {
    // The control plane doesn't know the path of this attempt's folder.
    const content = spec.systemPrompt.replaceAll('$CLAUDEOPS_STATE_DIR', host.stateDir);
    made.push({ path: host.systemPromptFile, content });
  }
  return made;
}

/** The CLI's settings for one start: what it may do, and which hooks call the runner. */
function settings(spec: StartSpec, host: HostLayout): object {
  const { checkpoints } = spec;
  return {
    permissions: permissions(spec, host),
    ...(checkpoints === null || host.hookCommand === null ? {} : hooks(host.hookCommand)),
  };
}

function permissions(spec: StartSpec, host: HostLayout): { allow: string[]; deny: string[] } {
  // Write asks for an Edit rule: `Write(…)` grants nothing in this mode.
  const handoffRule = spec.writesHandoffFile ? [`Edit(/${host.stateDir}/handoff.json)`] : [];
  return {
    allow: [...spec.allowedRules, ...mcpTools(spec), ...handoffRule],
    // The CLI lets Write into its own notes, and a rule for all files covers its transcripts.
    deny: [...spec.disallowedRules, `Edit(/${host.configDir}/**)`, `Edit(/${host.settingsFile})`],
  };
}

/** The CLI runs a prompt that starts with a slash as a command of its own; a space prevents it. */
function withoutSlashCommand(prompt: string): string {
  return prompt.startsWith('/') ? ` ${prompt}` : prompt;
}

function userMessage(prompt: string): string {
  const message = { role: 'user', content: withoutSlashCommand(prompt) };
  return `${JSON.stringify({ type: 'user', message })}\n`;
}

function checkLength(argument: string): void {
  const bytes = Buffer.byteLength(argument);
  if (bytes <= MAX_ARGUMENT_BYTES) return;
  throw new CommandError(
    'argument_list',
    `One argument of the agent's command is ${bytes} bytes long. The operating system allows ${MAX_ARGUMENT_BYTES}.`,
  );
}

/** What another CLI above the runner would leave behind, and the key that goes by descriptor. */
const WITHHELD =
  /^(ANTHROPIC_API_KEY|CLAUDECODE|CLAUDE_CODE_(ENTRYPOINT|SESSION_ID|CHILD_SESSION|EXECPATH))$/;

/** The complete environment of one CLI process. */
function environment(spec: StartSpec, host: HostLayout): Record<string, string> {
  const inherited = Object.entries(host.passThrough).filter(([name]) => !WITHHELD.test(name));
  return {
    HOME: host.configDir,
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...Object.fromEntries(inherited),
    CLAUDE_CONFIG_DIR: host.configDir,
    CLAUDE_CODE_TMPDIR: host.tmpDir,
    // Our scheduler waits better than the CLI, whose ten retries take three minutes.
    CLAUDE_CODE_MAX_RETRIES: '2',
    // `@path` in a prompt would put that file into the conversation, whatever the rules say.
    CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
    // Notes that the CLI keeps for itself would carry one cycle's words into the next.
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    // Its own git, at the start, looks for a repository in every folder above, and puts commits into the prompt.
    CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // Otherwise it begins without the tools of a server that is slow to come up on a busy host.
    MCP_CONNECTION_NONBLOCKING: '0',
    MCP_CONNECT_TIMEOUT_MS: '30000',
    ...(host.apiKey === undefined ? {} : { CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR: '3' }),
    CLAUDEOPS_STATE_DIR: host.stateDir,
    CLAUDEOPS_TIER: String(spec.tier),
    [MARKER_VARIABLE]: host.marker,
  };
}

/** Seconds. A hook that takes longer is killed, and the agent continues. */
const HOOK_TIMEOUT_SECONDS = 5;

/**
 * `command`: a shell line that passes the hook's input on. A start is none of the sources that
 * SessionStart is asked for, since the runner has just made it.
 */
function hooks(command: string): object {
  const hook = { type: 'command', command, timeout: HOOK_TIMEOUT_SECONDS };
  const always = [{ hooks: [hook] }];
  return {
    hooks: {
      PreCompact: always,
      SessionStart: [{ matcher: 'compact|resume', hooks: [hook] }],
      UserPromptSubmit: always,
      SessionEnd: always,
    },
  };
}
