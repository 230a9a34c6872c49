import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import type { StoredEvent } from '../log-rows';

/** Complete by type: a kind that the log learns has to be added here. */
const KINDS: Record<StoredEvent['kind'], true> = {
  init: true,
  text: true,
  answer_part: true,
  tool_call: true,
  tool_result: true,
  request_usage: true,
  api_retry: true,
  model_fallback: true,
  compaction: true,
  rate_limit: true,
  result: true,
  unparsed: true,
  system: true,
  question: true,
  question_closed: true,
  command: true,
  brokered: true,
  metered: true,
  process: true,
  stderr: true,
  check_result: true,
  checkpoint: true,
  notice: true,
  decision: true,
};

/**
 * An event of the API as the log takes it in. Its payload was checked when it was stored; a kind
 * that this version of the page does not know yet becomes a line with its name.
 */
export function storedEvent({ seq, at, kind, payload }: SessionEventDto): StoredEvent {
  if (kind in KINDS) return { ...payload, kind, seq, at } as StoredEvent;
  return { kind: 'system', subtype: kind, detail: payload, seq, at };
}
