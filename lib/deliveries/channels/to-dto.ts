import { encodeId } from '@/lib/platform/ids';
import { messageSchema } from '../message';
import { deliveryStatusSchema } from '../outbox/schema';
import { OPSGENIE_PRODUCT_NAMES, OPSGENIE_URLS, PAGERDUTY_URL } from '../targets/kinds';
import { type ChannelRow, type LastMessageRow, quietHoursOf } from './data';
import { type ChannelDto, channelDtoSchema } from './schema';
import type { ChannelSettings } from './settings-schema';

const SHOWN_URLS = 3;

export function toChannelDto(row: ChannelRow, last: LastMessageRow | undefined): ChannelDto {
  return {
    id: encodeId('ntc', row.id),
    kind: channelDtoSchema.shape.kind.parse(row.kind),
    name: row.name,
    target: row.target,
    outcomes: row.outcomes,
    eventTypes: row.eventTypes,
    projectId: row.projectId && encodeId('prj', row.projectId),
    alertsOnly: row.alertsOnly,
    quietHours: quietHoursOf(row),
    createdAt: row.createdAt.toISOString(),
    failingSince: row.failingSince?.toISOString() ?? null,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    disabledReason: row.disabledReason,
    last: last ? lastOf(last) : null,
  };
}

function lastOf(row: LastMessageRow): NonNullable<ChannelDto['last']> {
  const [attempt] = row.log;
  return {
    id: encodeId('dlv', row.id),
    eventType: row.eventType,
    title: messageSchema.parse(JSON.parse(row.body)).title,
    status: deliveryStatusSchema.parse(row.status),
    attempts: row.attempts,
    at: (attempt?.at ?? row.createdAt).toISOString(),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    result: attempt ? attempt.responseExcerpt || String(attempt.status ?? '') || null : null,
  };
}

/**
 * Returns the target of a channel for display. Of URLs it shows only the host or the service, and of
 * keys only the end, since the rest is secret.
 */
export function channelTarget(settings: ChannelSettings): string {
  switch (settings.kind) {
    case 'email':
      return settings.addresses.join(', ');
    case 'slack':
      return maskedUrl(settings.url);
    case 'pagerduty':
      return `key ${maskedKey(settings.routingKey)} at ${hostOf(settings.baseUrl ?? PAGERDUTY_URL)}`;
    case 'opsgenie': {
      const { product, apiKey, baseUrl } = settings;
      return `${OPSGENIE_PRODUCT_NAMES[product]}, key ${maskedKey(apiKey)} at ${hostOf(baseUrl ?? OPSGENIE_URLS[product])}`;
    }
    case 'oncall_webhook':
      return `${maskedUrl(settings.url)} (${settings.shape === 'events_v2' ? 'Events v2' : 'Tierwatch'} JSON)`;
    case 'apprise':
      return appriseTarget(settings);
  }
}

function hostOf(url: string): string {
  return new URL(url).host;
}

function maskedUrl(url: string): string {
  return `${hostOf(url)}/••••`;
}

function appriseTarget(settings: Extract<ChannelSettings, { kind: 'apprise' }>): string {
  const { serverUrl, urls, configKey, tags } = settings;
  const server = serverUrl ? new URL(serverUrl).host : "this installation's Apprise";
  const services = urls.map((url) => `${url.slice(0, url.indexOf(':'))}://••••`);
  const shown = services.slice(0, SHOWN_URLS);
  const more = services.length - shown.length;
  const parts = [
    ...shown,
    ...(more > 0 ? [`${more} more`] : []),
    ...(configKey ? [`configuration ${maskedKey(configKey)}`] : []),
    ...(tags ? [`tags ${tags}`] : []),
  ];
  return `${parts.join(', ')} via ${server}`;
}

/** Masks a key: whoever knows it can send with it. */
function maskedKey(key: string): string {
  return `••••${key.length >= 12 ? key.slice(-2) : ''}`;
}
