import path from 'node:path';
import type { Agent, HostLayout } from '../agent';
import { claudeAgent } from '../claude/claude-agent';
import { CLAUDE_PRICES } from '../claude/prices';
import { bookAttempt } from '../claude/usage';
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
  ...claudeAgent,
  name: 'demo',
  label: 'Demo agent',
  hasModel: false,
  canBeProven: false,
  needs: '',
  uses: '',
  program: {
    ...claudeAgent.program,
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
    probeEnv: (home) => ({ HOME: home }),
    readVersion: (printed) => /^demo-\d+/.exec(printed)?.[0] ?? null,
    hasDenylist: false,
    installAdvice: 'Check that the checkout of the runner is complete.',
    untestedVersion: () => null,
    unsafeVersion: () => null,
  },
  book: (events, parent, started) => bookAttempt(events, parent, started, DEMO_PRICES),
  prices: DEMO_PRICES,
};
