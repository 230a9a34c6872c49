// @ts-check
import { Meter } from './usage.mjs';

const FAILED = 'error_during_execution';

/**
 * The fields every result has: how it ended and what this process spent.
 * @param {import('./agent.mjs').Agent} agent @param {boolean} isError @param {string} [subtype]
 */
export function spent(agent, isError, subtype = FAILED) {
  const { meter } = agent.parts;
  return {
    subtype,
    is_error: isError,
    duration_ms: Math.round(performance.now()),
    duration_api_ms: 0,
    num_turns: agent.turns,
    total_cost_usd: meter.costUsd,
    usage: meter.totals(),
    modelUsage: meter.byModel(),
    permission_denials: agent.denials,
  };
}

/** The result of a start that found no conversation. @param {string} error */
export function notStarted(error) {
  return {
    subtype: FAILED,
    duration_ms: 0,
    duration_api_ms: 0,
    is_error: true,
    num_turns: 0,
    stop_reason: null,
    total_cost_usd: 0,
    usage: new Meter('', []).totals(),
    modelUsage: {},
    permission_denials: [],
    errors: [error],
  };
}
