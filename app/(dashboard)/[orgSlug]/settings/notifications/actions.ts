'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { rotateChannelSecret as rotate } from '@/lib/deliveries/channels/channel-secret';
import {
  createChannel as create,
  deleteChannel as remove,
  testChannel as test,
  updateChannel as update,
} from '@/lib/deliveries/channels/manage-channels';
import { createChannelSchema, updateChannelSchema } from '@/lib/deliveries/channels/schema';
import { TARGET_RULES } from '@/lib/deliveries/endpoints/schema';

const channelSchema = z.object({ channelId: z.string() });

/** A signing secret is in the answer and nowhere else. */
export const createChannel = action(createChannelSchema(TARGET_RULES), async ({ scope, input }) => {
  const { secret } = await create(scope, input);
  return { secret };
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

/** The secret is in the answer and nowhere else. */
export const rotateChannelSecret = action(channelSchema, async ({ scope, input }) => {
  const { secret } = await rotate(scope, input.channelId);
  return { secret };
});

export const testChannel = action(channelSchema, async ({ scope, input }) => {
  await test(scope, input.channelId);
});
