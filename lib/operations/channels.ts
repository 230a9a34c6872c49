import { z } from 'zod';
import { rotateChannelSecret } from '@/lib/deliveries/channels/channel-secret';
import {
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  testChannel,
  updateChannel,
} from '@/lib/deliveries/channels/manage-channels';
import {
  channelDtoSchema,
  channelWithSecretSchema,
  createChannelSchema,
  updateChannelSchema,
} from '@/lib/deliveries/channels/schema';
import { TARGET_RULES } from '@/lib/deliveries/endpoints/schema';
import { emptyBodySchema } from './bodies';
import { operation } from './operation';

export const rotateSecret = operation({
  method: 'POST',
  path: '/api/v1/channels/{channelId}/rotate',
  summary: 'Create a new signing secret for an on-call webhook; both secrets sign for 24 hours',
  act: 'channel.manage',
  scopes: ['channels:write'],
  status: 200,
  body: emptyBodySchema,
  response: channelWithSecretSchema,
  run: ({ scope, params }) => rotateChannelSecret(scope, params.channelId),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/channels/{channelId}',
  summary: 'Get a notification channel',
  act: 'organization.read',
  scopes: ['channels:read'],
  response: channelDtoSchema,
  run: ({ scope, params }) => getChannel(scope, params.channelId),
});

export const update = operation({
  method: 'PATCH',
  path: '/api/v1/channels/{channelId}',
  summary: 'Change or mute a notification channel',
  act: 'channel.manage',
  scopes: ['channels:write'],
  body: updateChannelSchema(TARGET_RULES),
  example: { isMuted: true },
  response: channelDtoSchema,
  run: ({ scope, params, body }) => updateChannel(scope, params.channelId, body),
});

export const remove = operation({
  method: 'DELETE',
  path: '/api/v1/channels/{channelId}',
  summary: 'Delete a notification channel that no escalation names, and its messages',
  act: 'channel.manage',
  scopes: ['channels:write'],
  refusals: {
    409: 'A paging policy names it.',
  },
  run: ({ scope, params }) => deleteChannel(scope, params.channelId),
});

export const sendTest = operation({
  method: 'POST',
  path: '/api/v1/channels/{channelId}/test',
  summary: 'Send a test message to a notification channel; its result follows in `last`',
  act: 'channel.manage',
  scopes: ['channels:write'],
  body: emptyBodySchema,
  response: channelDtoSchema,
  run: ({ scope, params }) => testChannel(scope, params.channelId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/channels',
  summary: 'List notification channels by name, each with its newest message',
  act: 'organization.read',
  scopes: ['channels:read'],
  response: z.object({
    data: z.array(channelDtoSchema),
    /** An organization has at most 50 channels, so there is one page. */
    nextCursor: z.null(),
  }),
  run: async ({ scope }) => ({ data: await listChannels(scope), nextCursor: null }),
});

export const create = operation({
  method: 'POST',
  path: '/api/v1/channels',
  summary:
    'Create a notification channel; of an on-call webhook, the response shows its signing secret once',
  act: 'channel.manage',
  scopes: ['channels:write'],
  body: createChannelSchema(TARGET_RULES),
  example: {
    name: 'On call',
    settings: { kind: 'email', addresses: ['oncall@example.com'] },
    outcomes: ['needs_human', 'failed', 'lost'],
  },
  response: channelWithSecretSchema,
  refusals: {
    409: 'The organization has reached its limit of notification channels.',
  },
  run: ({ scope, body }) => createChannel(scope, body),
  answerAgain: async ({ scope }, target) => ({
    ...(await getChannel(scope, target)),
    secret: null,
  }),
});
