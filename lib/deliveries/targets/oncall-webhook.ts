/** Messages to a generic on-call webhook, in the shape of Tierwatch or of the Events API v2. */
import { cutText } from '@/lib/platform/format/text';
import { withoutHidden } from '@/lib/platform/format/visible-text';
import type { AlertSubject } from '../alert';
import type { Message } from '../message';
import type { OncallShape } from './kinds';
import { pagerdutyEvent } from './pagerduty';

/** Keeps a body far below the 512 KB that on-call services accept. */
const MAX_CHARS = { title: 1_024, description: 100_000 } as const;
const MAX_SERVICES = 200;

const SEVERITIES: Record<Message['tone'], AlertSubject['severity']> = {
  failure: 'error',
  warning: 'warning',
  success: 'info',
  info: 'info',
};

export interface Notification {
  /** `dlv_…`, the same over retries; also the `webhook-id` header. */
  id: string;
  /** The event: chain.completed, channel.test, … */
  type: string;
  /** ISO 8601. */
  occurredAt: string;
  message: Message;
}

/**
 * Returns one JSON object per message. A plain notice has neither a dedup key nor a status.
 *
 * @throws Error for a notice in the Events v2 shape, which only alerts have
 */
export function oncallBody(
  notification: Notification,
  { shape, routingKey }: { shape: OncallShape; routingKey: string | null },
): object {
  const { alert } = notification.message;
  if (shape === 'tierwatch') return tierwatchBody(notification);
  if (!alert) throw new Error('The Events v2 shape needs an alert.');
  return pagerdutyEvent(alert, { routingKey, at: notification.occurredAt });
}

function tierwatchBody({ id, type, occurredAt, message }: Notification) {
  const { alert, link } = message;
  const shown = (text: string, chars: number) => cutText(withoutHidden(text), chars);
  return {
    id,
    type,
    occurred_at: occurredAt,
    sequence: alert?.sequence ?? null,
    dedup_key: alert?.dedupKey ?? null,
    status: alert?.status ?? null,
    title: shown(alert?.title ?? message.title, MAX_CHARS.title),
    description: shown(alert?.description ?? message.lines.join('\n\n'), MAX_CHARS.description),
    severity: alert?.severity ?? SEVERITIES[message.tone],
    project: alert?.project ?? null,
    services: (alert?.services ?? []).slice(0, MAX_SERVICES),
    started_at: alert?.startedAt ?? null,
    resolved_at: alert?.resolvedAt ?? null,
    url: alert?.url ?? link?.url ?? null,
    needs_human: alert?.needsHuman ?? false,
    links: link ? [{ href: link.url, text: link.label }] : [],
  };
}
