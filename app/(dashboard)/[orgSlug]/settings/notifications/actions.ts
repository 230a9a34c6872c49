'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  createChannel as create,
  deleteChannel as remove,
  testChannel as test,
  updateChannel as update,
} from '@/lib/deliveries/channels/manage-channels';
import { createChannelSchema, updateChannelSchema } from '@/lib/deliveries/channels/schema';
import { TARGET_RULES } from '@/lib/deliveries/endpoints/schema';

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
