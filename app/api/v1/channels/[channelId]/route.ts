import { channelParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import {
  deleteChannel,
  getChannel,
  updateChannel,
} from '@/lib/deliveries/channels/manage-channels';
import { channelDtoSchema, updateChannelSchema } from '@/lib/deliveries/channels/schema';
import { TARGET_RULES } from '@/lib/deliveries/endpoints/schema';

const shared = {
  path: '/api/v1/channels/{channelId}',
  auth: 'apiKey',
  params: channelParams,
} as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'Get a notification channel',
  scopes: ['channels:read'],
  response: channelDtoSchema,
  handle: ({ scope, params }) => getChannel(scope, params.channelId),
});

export const PATCH = route({
  ...shared,
  method: 'PATCH',
  summary: 'Change or mute a notification channel',
  scopes: ['channels:write'],
  body: updateChannelSchema(TARGET_RULES),
  response: channelDtoSchema,
  handle: ({ scope, params, body }) => updateChannel(scope, params.channelId, body),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Delete a notification channel that no escalation names, and its messages',
  scopes: ['channels:write'],
  status: 204,
  handle: async ({ scope, params }) => {
    await deleteChannel(scope, params.channelId);
    return undefined;
  },
});
