/**
 * Alerts for Opsgenie and Jira Service Management, which has the same API at another address:
 * https://docs.opsgenie.com/docs/alert-api.
 */
import { cutText } from '@/lib/platform/format/text';
import { withoutHidden } from '@/lib/platform/format/visible-text';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import type { AlertSubject } from '../alert';
import { httpSendResult, type SendResult } from '../outbox/transport';
import { oneLine } from './text';

const MAX_CHARS = { message: 130, description: 15_000, entity: 512, tag: 50, detail: 500 } as const;
const MAX_TAGS = 20;

const PRIORITIES: Record<AlertSubject['severity'], string> = {
  critical: 'P1',
  error: 'P2',
  warning: 'P3',
  info: 'P5',
};

/** Returns the path below the API's address, and the body, for an alert. */
export function opsgenieRequest(alert: AlertSubject): {
  path: string;
  body: Record<string, unknown>;
} {
  const source = 'Tierwatch';
  if (alert.status !== 'firing') {
    const verb = alert.status === 'resolved' ? 'close' : 'acknowledge';
    const path = `/v2/alerts/${encodeURIComponent(alert.dedupKey)}/${verb}?identifierType=alias`;
    return { path, body: { source } };
  }
  const [entity] = alert.services;
  const detail = (text: string) => cutText(oneLine(text), MAX_CHARS.detail);
  const body = {
    message: cutText(oneLine(alert.title) || 'Alert', MAX_CHARS.message),
    alias: alert.dedupKey,
    description: cutText(
      [withoutHidden(alert.description), alert.url].filter((text) => text !== '').join('\n\n'),
      MAX_CHARS.description,
    ),
    ...(entity ? { entity: cutText(oneLine(entity), MAX_CHARS.entity) } : {}),
    tags: alert.services
      .map((service) => cutText(oneLine(service), MAX_CHARS.tag))
      .slice(0, MAX_TAGS),
    priority: PRIORITIES[alert.severity],
    source,
    details: {
      url: detail(alert.url),
      severity: alert.severity,
      first_failure: alert.startedAt,
      needs_human: String(alert.needsHuman),
      ...(alert.project ? { project: detail(alert.project.name) } : {}),
    },
  };
  return { path: '/v2/alerts', body };
}

/** Statuses that repeat until someone changes the key or the address. */
const REFUSED = new Set([400, 401, 403, 422]);

/**
 * Interprets an answer of the API, which accepts requests with 202. A close or acknowledgment of an
 * alert that doesn't exist there has nothing left to do.
 */
export function opsgenieResult(result: OutboundResult, status: AlertSubject['status']): SendResult {
  const sent = httpSendResult(result);
  if (!result.ok) return sent;
  if (result.status === 404 && status !== 'firing') {
    return { ...sent, isTaken: true, text: 'No open alert has this alias, so nothing changed.' };
  }
  if (!REFUSED.has(result.status)) return sent;
  return {
    ...sent,
    isPermanent: true,
    text: `The request was refused with ${result.status}. Check the API key, its rights, and the region. The response: ${result.bodyText}`,
  };
}
