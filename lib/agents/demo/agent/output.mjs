// @ts-check
import { randomUUID } from 'node:crypto';
import { Meter } from './usage.mjs';

const FAILED = 'error_during_execution';

/** Prints events as the CLI does: one JSON object a line. */
export class Output {
  /** @param {{ includePartialMessages: boolean }} flags @param {string} sessionId */
  constructor(flags, sessionId) {
    this.isPartial = flags.includePartialMessages;
    this.sessionId = sessionId;
  }

  /** @param {Record<string, unknown>} event */
  event(event) {
    this.#print({ ...event, session_id: this.sessionId, uuid: randomUUID() });
  }

  /** @param {Record<string, unknown>} event */
  partial(event) {
    if (this.isPartial) this.event({ type: 'stream_event', event, parent_tool_use_id: null });
  }

  /** Something that waits for a line on stdin. @param {string} requestId @param {Record<string, unknown>} request */
  request(requestId, request) {
    this.#print({ type: 'control_request', request_id: requestId, request });
  }

  /** @param {Record<string, unknown>} fields */
  result(fields) {
    this.event({ type: 'result', ...fields });
  }

  /** @param {unknown} value */
  #print(value) {
    process.stdout.write(`${JSON.stringify(value)}\n`);
  }
}

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
