// @ts-check
import { randomUUID } from 'node:crypto';

/** Prints events as the CLI does: one JSON object a line, or the result alone. */
export class Output {
  /** @param {{ outputFormat: string, includePartialMessages: boolean }} flags @param {string} sessionId */
  constructor(flags, sessionId) {
    this.format = flags.outputFormat;
    this.isPartial = flags.includePartialMessages;
    this.sessionId = sessionId;
  }

  /** @param {Record<string, unknown>} event */
  event(event) {
    if (this.format !== 'stream-json') return;
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
    const result = { type: 'result', ...fields, session_id: this.sessionId, uuid: randomUUID() };
    if (this.format === 'text') process.stdout.write(`${fields.result ?? ''}\n`);
    else this.#print(result);
  }

  /** @param {unknown} value */
  #print(value) {
    process.stdout.write(`${JSON.stringify(value)}\n`);
  }
}
