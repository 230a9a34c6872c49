import { defaultRules } from './default-rules';
import type { TierPolicy } from './schema';

/** Without Glob, which CLI 2.1.197 lets list names outside the work directory. */
const READ_TOOLS = ['Bash', 'Read', 'Grep'];
const WRITE_TOOLS = [...READ_TOOLS, 'Write', 'Edit'];

/**
 * Tiers 1, 2 and 3 of an open project. Only tier 1 is on until someone allows the others. The models are
 * those of the agent in `new-project.ts`; `withAgent` replaces them for another one, and
 * `new-project.ts` decides whether a new project is confined.
 */
export const DEFAULT_TIERS: [TierPolicy, TierPolicy, TierPolicy] = [
  {
    tier: 1,
    isEnabled: true,
    model: 'haiku',
    tools: READ_TOOLS,
    ...defaultRules(1, 'open'),
    askFirstTools: [],
    requiresApproval: false,
    prompt: null,
    timeoutSeconds: 300,
    stallSeconds: 180,
    maxTurns: 40,
    maxBudgetUsd: 1,
    contextWindow: null,
  },
  {
    tier: 2,
    isEnabled: false,
    model: 'sonnet',
    tools: WRITE_TOOLS,
    ...defaultRules(2, 'open'),
    askFirstTools: [],
    requiresApproval: false,
    prompt: null,
    timeoutSeconds: 600,
    stallSeconds: 180,
    maxTurns: 80,
    maxBudgetUsd: 5,
    contextWindow: null,
  },
  {
    tier: 3,
    isEnabled: false,
    model: 'opus',
    tools: WRITE_TOOLS,
    ...defaultRules(3, 'open'),
    askFirstTools: [],
    requiresApproval: false,
    prompt: null,
    timeoutSeconds: 1_200,
    stallSeconds: 180,
    maxTurns: 150,
    maxBudgetUsd: 20,
    contextWindow: null,
  },
];
