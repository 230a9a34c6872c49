import { cancelOpenDeliveries } from '@/lib/deliveries/webhooks/deliveries/data';
import type { RecipientStep } from '@/lib/deliveries/webhooks/retry-policy';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { encodeId } from '@/lib/platform/ids';
import { type ChannelRow, disableChannel, updateChannelRow } from '../channels/data';
import { sayDisabled } from './say-disabled';

/**
 * What one attempt means for its channel. A disabled one gets nothing more, and people are told.
 *
 * @returns ids of the deliveries that tell them
 */
export async function applyChannelStep(
  db: TenantDb,
  scope: TenantScope,
  channel: ChannelRow,
  chainId: string | null,
  step: RecipientStep,
  now: Date,
): Promise<string[]> {
  if (step.kind !== 'disable') {
    const failingSince = step.kind === 'failing' ? step.since : null;
    const isNews = (failingSince === null) !== (channel.failingSince === null);
    if (isNews) await updateChannelRow(db, channel.id, { failingSince });
    return [];
  }
  if (!(await disableChannel(db, channel.id, now))) return [];
  await cancelOpenDeliveries(db, { channelId: channel.id });
  const message = `Notification channel ${channel.name} has failed for five days. Its messages have stopped. Mend it, then switch it on again.`;
  const told = await sayDisabled(
    db,
    scope.organizationId,
    {
      code: 'CHANNEL_DISABLED',
      title: `Notification channel ${channel.name} is disabled`,
      message,
      projectId: channel.projectId,
      chainId,
      linkOf: (slug) => ({
        url: `${env().publicUrl}/${slug}/settings/notifications`,
        label: 'Open the channels',
      }),
      occasion: `channel.disabled:${channel.id}:${now.getTime()}`,
    },
    now,
  );
  await recordAudit(db, scope, {
    action: 'notification_channel.disabled',
    target: encodeId('ntc', channel.id),
    detail: { reason: 'failing_five_days', message },
  });
  return told;
}
