import { encodeId } from '@/lib/platform/ids';
import { messageSchema } from '../message';
import { deliveryStatusSchema } from '../outbox/schema';
import type { ChannelRow, LastMessageRow } from './data';
import { type ChannelDto, type ChannelSettings, channelDtoSchema } from './schema';

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
 * Returns the target of a channel for display. Of Apprise URLs it shows only the service, since the
 * rest is secret.
 */
export function channelTarget(settings: ChannelSettings): string {
  if (settings.kind === 'email') return settings.addresses.join(', ');
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

/** Masks the key of a stored configuration: whoever knows it can send with that configuration. */
function maskedKey(key: string): string {
  return `••••${key.length >= 12 ? key.slice(-2) : ''}`;
}
