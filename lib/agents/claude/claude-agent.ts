import type { Agent, ModelProvider, ProgramSettings } from '../agent';
import { classifyAttemptEnd } from './classify';
import { claudeCommand } from './command';
import { CLAUDE_TOOL_NAMES, surplusTools } from './offered-tools';
import { CLAUDE_PRICES } from './prices';
import { createClaudeParser } from './stream';
import { bookAttempt, reportedWindow } from './usage';
import {
  FIRST_WITHOUT_FILE_READS,
  isTestedVersion,
  printsAnyFile,
  TESTED_CLI_VERSIONS,
} from './versions';

/** Any of them lets the CLI sign in to its provider. */
const CREDENTIALS = [
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
];

const ACCOUNT_VARIABLES = [
  ...['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_BASE_URL'],
  ...['CLAUDE_CODE_USE_BEDROCK', 'AWS_PROFILE', 'AWS_ACCESS_KEY_ID'],
  ...['CLAUDE_CODE_USE_VERTEX', 'ANTHROPIC_VERTEX_PROJECT_ID'],
];

const NO_KEY = 'This runner has no model API key. Set ANTHROPIC_API_KEY on its host.';

export const claudeAgent: Agent = {
  name: 'claude',
  label: 'Claude Code',
  hasModel: true,
  canBeProven: true,
  needs: 'Claude Code needs a model API key on the runner’s host.',
  uses: 'Claude Code uses the host’s ANTHROPIC_API_KEY and the claude on its PATH.',
  models: ['haiku', 'sonnet', 'opus'],
  tierModels: ['haiku', 'sonnet', 'opus'],
  program: {
    shownName: 'claude',
    settings({ env, passed }): ProgramSettings {
      const apiKey = env.ANTHROPIC_API_KEY || null;
      const values = ACCOUNT_VARIABLES.map((name) => passed[name] ?? null);
      const hasAccount = apiKey !== null || values.some((value) => value !== null);
      const hasKey = apiKey !== null || CREDENTIALS.some((name) => name in passed);
      return {
        binary: { file: env.CLAUDE_BIN || 'claude', args: [] },
        searchFirst: null,
        apiKey,
        account: hasAccount ? [apiKey, ...values] : null,
        provider: providerOf(passed, apiKey),
        obstacle: hasKey ? null : NO_KEY,
      };
    },
    passedVariables: ['ANTHROPIC_BASE_URL'],
    probeEnv: (home) => ({
      HOME: home,
      CLAUDE_CONFIG_DIR: home,
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    readVersion: (printed) => /^\d+\.\d+\.\d+[^\s]*/.exec(printed)?.[0] ?? null,
    canResume: (flags) => flags.has('--resume') && flags.has('--fork-session'),
    hasDenylist: true,
    installAdvice: 'Install Claude Code for the runner’s user, or name it in CLAUDE_BIN.',
    untestedVersion: (version) =>
      isTestedVersion(version)
        ? null
        : `Claude Code ${version} is not among the tested versions (${TESTED_CLI_VERSIONS.join(', ')}). Prefer a tested version.`,
    unsafeVersion: (version) =>
      printsAnyFile(version)
        ? `Claude Code ${version} lets an agent print any file that the runner's account can read, for example with \`cat < FILE\`, regardless of the tier’s rules. Install ${FIRST_WITHOUT_FILE_READS} or later on this host.`
        : null,
  },
  command: claudeCommand,
  createParser: createClaudeParser,
  toolNames: CLAUDE_TOOL_NAMES,
  surplusTools,
  conversations: {
    file: 'projects/*/{id}.jsonl',
    folders: ['projects/*/{id}', 'session-env/{id}', 'tasks/{id}'],
    // Up to 200 characters, which a runner's folder never exceeds.
    folderOf: (workDir) => workDir.replace(/[^A-Za-z0-9]/g, '-'),
  },
  classifyEnd: classifyAttemptEnd,
  book: (events, parent, started) => bookAttempt(events, parent, started),
  prices: CLAUDE_PRICES,
  contextWindow: reportedWindow,
  provenEdges: [
    ['haiku', 'sonnet'],
    ['sonnet', 'opus'],
  ],
  smallestWindow: 200_000,
};

const ANTHROPIC_API = 'https://api.anthropic.com';
/** Stands for a key in a sandbox, where the real one never is. */
const PLACEHOLDER = 'held-by-the-runner';

/** Both sign each request with a key that the agent's process has to hold. */
const SIGNING_PROVIDERS = {
  CLAUDE_CODE_USE_BEDROCK: 'Amazon Bedrock',
  CLAUDE_CODE_USE_VERTEX: 'Google Vertex AI',
};

function providerOf(
  passed: Readonly<Record<string, string>>,
  apiKey: string | null,
): ModelProvider {
  for (const [variable, name] of Object.entries(SIGNING_PROVIDERS)) {
    if (!passed[variable]) continue;
    const why = `Requests to ${name} are signed by the agent itself, so the runner can’t forward them.`;
    return { kind: 'direct', why };
  }
  const tokenVariable = ['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'].find(
    (name) => passed[name],
  );
  const token = tokenVariable && passed[tokenVariable];
  return {
    kind: 'forwarded',
    url: passed.ANTHROPIC_BASE_URL || ANTHROPIC_API,
    headers: {
      ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...customHeaders(passed.ANTHROPIC_CUSTOM_HEADERS ?? ''),
    },
    addressVariable: 'ANTHROPIC_BASE_URL',
    placeholders: tokenVariable ? { [tokenVariable]: PLACEHOLDER } : {},
  };
}

/** Lines of `Name: value`, as the CLI takes them. */
function customHeaders(text: string): Record<string, string> {
  const pairs = text.split('\n').flatMap((line) => {
    const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return name && value !== undefined ? [[name.toLowerCase(), value] as const] : [];
  });
  return Object.fromEntries(pairs);
}
