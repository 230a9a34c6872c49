import { channelParams, emptyBodySchema } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { testChannel } from '@/lib/deliveries/channels/manage-channels';
import { channelDtoSchema } from '@/lib/deliveries/channels/schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/channels/{channelId}/test',
  summary: 'Send a test message to a notification channel; its result follows in `last`',
  auth: 'apiKey',
  scopes: ['channels:write'],
  params: channelParams,
  body: emptyBodySchema,
  response: channelDtoSchema,
  handle: ({ scope, params }) => testChannel(scope, params.channelId),
});
