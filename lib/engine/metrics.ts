/** What the engine counts: one entry for each metric. */

import { counter, histogram, OPEN, projectCounter } from '@/lib/platform/metrics/instruments';
import { ATTEMPT_OUTCOMES, COMMAND_DECISIONS, COMMAND_OUTCOMES, WORK_TIERS } from './metric-labels';
import { APPROVAL_STATUSES, CHAIN_OUTCOMES } from './statuses';

const MINUTE = 60;
const HOUR = 3_600;

export const chainsEnded = projectCounter({
  name: 'tierwatch_chains_total',
  help: 'Chains that have ended, by outcome. Schedule slots that were skipped are not counted.',
  labels: { outcome: CHAIN_OUTCOMES.filter((outcome) => outcome !== 'skipped') },
});

export const chainDuration = histogram({
  name: 'tierwatch_chain_duration_seconds',
  help: 'Time from the creation of a chain to its end, waits for runners and people included.',
  labels: { outcome: CHAIN_OUTCOMES.filter((outcome) => outcome !== 'skipped') },
  buckets: [
    10,
    30,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    4 * HOUR,
  ],
});

export const attemptsEnded = counter({
  name: 'tierwatch_attempts_total',
  help: 'Agent processes that have ended, by tier (or ask) and outcome.',
  labels: { tier: WORK_TIERS, outcome: ATTEMPT_OUTCOMES },
});

export const modelCost = projectCounter({
  name: 'tierwatch_model_cost_usd_total',
  help: 'US dollars booked in the ledger when an attempt ended, estimates included.',
  labels: { tier: WORK_TIERS, model: OPEN },
});

export const modelTokens = counter({
  name: 'tierwatch_model_tokens_total',
  help: 'Tokens booked in the ledger when an attempt ended, by model and kind.',
  labels: { model: OPEN, kind: ['input', 'output', 'cache_read', 'cache_write'] },
});

export const commandsEnded = counter({
  name: 'tierwatch_commands_total',
  help: 'Commands of confined agents, by what was decided and how they ended.',
  labels: { decision: COMMAND_DECISIONS, outcome: COMMAND_OUTCOMES },
});

export const approvalWait = histogram({
  name: 'tierwatch_approval_wait_seconds',
  help: 'Time from the request for an approval to its decision.',
  labels: { decision: APPROVAL_STATUSES.filter((status) => status !== 'pending') },
  buckets: [10, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 24 * HOUR],
});
