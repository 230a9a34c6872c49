/** Sentences about sources and what they send, from the stored codes. Pure. */

import { formatCounted } from '@/lib/platform/format/count';
import type { RequestReason, RequestResult, SignalRequestDto } from './request-schema';
import type { SourceKind } from './source-schema';

export const SOURCE_KIND_WORDS: Record<SourceKind, string> = {
  alertmanager: 'Prometheus Alertmanager',
  grafana: 'Grafana',
  pagerduty: 'PagerDuty',
  generic: 'Any JSON',
};

const REASONS: Record<RequestReason, string> = {
  too_large: 'The body was too large. The sender repeats it: send fewer alerts per request.',
  wrong_token: 'The token was missing or wrong. Compare it with the sender’s configuration.',
  bad_signature: 'The signature was missing or wrong. Compare the signing secret and its headers.',
  stale_signature:
    'The signed time was more than 5 minutes off. Check the clocks, or someone replayed it.',
  disabled: 'The source is disabled. Enable it to accept alerts.',
  not_json: 'The body isn’t JSON.',
  unknown_shape: 'The body holds no alert. Set the mapping for this shape.',
  no_status: 'No status was found, or one that is neither firing nor resolved. Set the mapping.',
  no_title: 'No title was found. Set the mapping.',
};

const RESULTS: Record<Exclude<RequestResult, 'alerts'>, string> = {
  test_received: 'Test received. Tests open nothing.',
  event_ignored: 'An event that says nothing about the state of an alert.',
  event_too_old: 'The event is older than 49 hours, so it was ignored.',
  own_incident: 'An incident that Tierwatch itself opened.',
};

type ReadRequest = Pick<
  SignalRequestDto,
  'state' | 'reason' | 'result' | 'alertCount' | 'skippedCount' | 'truncatedCount'
>;

/** Returns the outcome of a request, in a sentence or two. */
export function requestSentence(request: ReadRequest): string {
  const { reason, result, alertCount, skippedCount, truncatedCount } = request;
  if (request.state === 'received') return 'Waiting to be processed.';
  if (reason) return REASONS[reason];
  if (result && result !== 'alerts') return RESULTS[result];
  return [
    `${formatCounted(alertCount, 'alert')}.`,
    ...(skippedCount > 0 ? [`${formatCounted(skippedCount, 'more alert')} couldn’t be read.`] : []),
    ...(truncatedCount > 0
      ? [
          `${formatCounted(truncatedCount, 'more alert')} ${truncatedCount === 1 ? 'was' : 'were'} cut off by the sender.`,
        ]
      : []),
  ].join(' ');
}

/** Returns why a body can't be read, for a preview. */
export function reasonSentence(reason: RequestReason): string {
  return REASONS[reason];
}

/** Returns what a body is that holds no alerts, for a preview. */
export function resultSentence(result: Exclude<RequestResult, 'alerts'>): string {
  return RESULTS[result];
}
