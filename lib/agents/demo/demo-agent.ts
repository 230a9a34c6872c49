import path from 'node:path';
import type { Agent, HostLayout } from '../agent';
import { classifyAttemptEnd } from '../claude/classify';
import { claudeCommand } from '../claude/command';
import { CLAUDE_TOOL_NAMES, surplusTools } from '../claude/offered-tools';
import { CLAUDE_PRICES } from '../claude/prices';
import { createClaudeParser } from '../claude/stream';
import { bookAttempt, reportedWindow } from '../claude/usage';
import type { PriceTable } from '../prices';

export const DEMO_AGENT_VERSION = 'demo-1';

/**
 * How the runner starts the demo agent: as one file, which a sandbox can show without the checkout.
 * `root`: the repository's root folder.
 */
export function demoBinary(root: string): HostLayout['binary'] {
  return { file: process.execPath, args: [path.join(root, 'dist', 'demo-agent.mjs')] };
}

/** It names and prices its models after Claude Code's. */
const DEMO_PRICES: PriceTable = {
  ...CLAUDE_PRICES,
  models: CLAUDE_PRICES.models.flatMap(([prefix, price]) => [
    [prefix.replace('claude-', 'demo-'), price] as const,
    [prefix, price] as const,
  ]),
};

/**
 * Takes the flags of the claude CLI, prints its stream and ends as it does, so what reads that CLI
 * reads this one too.
 */
export const demoAgent: Agent = {
  name: 'demo',
  label: 'Demo agent',
  hasModel: false,
  canBeProven: false,
  needs: '',
  uses: '',
  models: ['haiku', 'sonnet', 'opus'],
  tierModels: ['haiku', 'sonnet', 'opus'],
  program: {
    shownName: 'tierwatch-demo-agent',
    settings: ({ env, root }) => ({
      binary: demoBinary(root),
      // A runner that is started on the machine of the demo finds what looks after its services.
      searchFirst: env.TIERWATCH_DEMO_BIN || path.join(root, '.data', 'demo', 'bin'),
      apiKey: null,
      account: null,
      provider: { kind: 'none' },
      obstacle: null,
    }),
    passedVariables: ['ANTHROPIC_BASE_URL'],
    probeEnv: (home) => ({ HOME: home }),
    readVersion: (printed) => /^demo-\d+/.exec(printed)?.[0] ?? null,
    canResume: (flags) => flags.has('--resume') && flags.has('--fork-session'),
    hasDenylist: false,
    installAdvice: 'Check that the checkout of the runner is complete.',
    untestedVersion: () => null,
    unsafeVersion: () => null,
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
  book: (events, parent, started) => bookAttempt(events, parent, started, DEMO_PRICES),
  prices: DEMO_PRICES,
  contextWindow: reportedWindow,
  provenEdges: [
    ['haiku', 'sonnet'],
    ['sonnet', 'opus'],
  ],
  smallestWindow: 200_000,
};
