import { v7 as uuidv7 } from 'uuid';
import { insertDelivery } from '@/lib/deliveries/webhooks/deliveries/data';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError } from '@/lib/platform/errors';
import { requireId } from '@/lib/platform/ids/require-id';
import { enqueue } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';
import { loadOrganization } from '../about/data';
import { getChannelRow, lastMessages } from '../channels/data';
import type { ChannelDto } from '../channels/schema';
import { toChannelDto } from '../channels/to-dto';
import { messageOf } from '../message';

/** Sends a test message to this one channel, retried like any other. The answer has it as `last`. */
export async function testChannel(
  scope: TenantScope,
  channelId: string,
  now = new Date(),
): Promise<ChannelDto> {
  requireMay(scope, 'channel.manage');
  const channelUuid = requireId('ntc', channelId);
  const id = uuidv7();
  const dto = await inTransaction(scope, async (db) => {
    const channel = await getChannelRow(db, channelUuid);
    if (channel.disabledAt) {
      throw new ConflictError('The channel is off. Switch it on, then send the test.');
    }
    const organization = await loadOrganization(db);
    const message = messageOf({
      type: 'webhook.test',
      timestamp: now.toISOString(),
      data: {
        organization,
        summary: `A test of Tierwatch for ${organization.name}. Nothing has happened.`,
        link: `${env().publicUrl}/${organization.slug}/settings/notifications`,
        endpointId: channelId,
      },
    });
    await insertDelivery(db, scope.organizationId, {
      id,
      channelId: channel.id,
      chainId: null,
      eventType: 'channel.test',
      occasion: `test:${id}`,
      body: JSON.stringify(message),
      nextAttemptAt: now,
      createdAt: now,
    });
    await recordAudit(db, scope, { action: 'notification_channel.tested', target: channelId });
    const last = await lastMessages(db, scope.organizationId, [channel.id]);
    return toChannelDto(channel, last.get(channel.id));
  });
  await enqueue(deliverWebhookJob, { organizationId: scope.organizationId, deliveryId: id });
  return dto;
}
