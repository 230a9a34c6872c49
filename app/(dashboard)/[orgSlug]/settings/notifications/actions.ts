'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  createChannelSchema,
  updateChannelSchema,
} from '@/lib/deliveries/notifications/channels/schema';
import {
  createChannel as create,
  deleteChannel as remove,
  updateChannel as update,
} from '@/lib/deliveries/notifications/service/manage-channels';
import { testChannel as test } from '@/lib/deliveries/notifications/service/test-channel';
import { TARGET_RULES } from '@/lib/deliveries/webhooks/endpoints/target-rules';

const channelSchema = z.object({ channelId: z.string() });

export const createChannel = action(createChannelSchema(TARGET_RULES), async ({ scope, input }) => {
  await create(scope, input);
});

export const updateChannel = action(
  updateChannelSchema(TARGET_RULES).extend(channelSchema.shape),
  async ({ scope, input: { channelId, ...changes } }) => {
    await update(scope, channelId, changes);
  },
);

export const deleteChannel = action(channelSchema, async ({ scope, input }) => {
  await remove(scope, input.channelId);
});

export const testChannel = action(channelSchema, async ({ scope, input }) => {
  await test(scope, input.channelId);
});
