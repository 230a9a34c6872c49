import { channelParams, emptyBodySchema } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { rotateChannelSecret } from '@/lib/deliveries/channels/channel-secret';
import { channelWithSecretSchema } from '@/lib/deliveries/channels/schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/channels/{channelId}/rotate',
  summary: 'Create a new signing secret for an on-call webhook; both secrets sign for 24 hours',
  auth: 'apiKey',
  scopes: ['channels:write'],
  params: channelParams,
  body: emptyBodySchema,
  response: channelWithSecretSchema,
  status: 200,
  handle: ({ scope, params }) => rotateChannelSecret(scope, params.channelId),
});
