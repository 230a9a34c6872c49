import { z } from 'zod';
import { route } from '@/lib/api/route';
import { createChannel, getChannel, listChannels } from '@/lib/deliveries/channels/manage-channels';
import {
  channelDtoSchema,
  channelWithSecretSchema,
  createChannelSchema,
} from '@/lib/deliveries/channels/schema';
import { TARGET_RULES } from '@/lib/deliveries/endpoints/schema';

const path = '/api/v1/channels';

export const GET = route({
  method: 'GET',
  path,
  summary: 'List notification channels by name, each with its newest message',
  auth: 'apiKey',
  scopes: ['channels:read'],
  response: z.object({
    data: z.array(channelDtoSchema),
    /** An organization has at most 50 channels, so there is one page. */
    nextCursor: z.null(),
  }),
  handle: async ({ scope }) => ({ data: await listChannels(scope), nextCursor: null }),
});

export const POST = route({
  method: 'POST',
  path,
  summary:
    'Create a notification channel; of an on-call webhook, the response shows its signing secret once',
  auth: 'apiKey',
  scopes: ['channels:write'],
  body: createChannelSchema(TARGET_RULES),
  response: channelWithSecretSchema,
  handle: ({ scope, body }) => createChannel(scope, body),
  // A repeat can't show the secret again.
  answerAgain: async ({ scope }, target) => ({
    ...(await getChannel(scope, target)),
    secret: null,
  }),
});
