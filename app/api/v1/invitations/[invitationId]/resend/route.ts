import { emptyBodySchema, invitationParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { resendInvitation } from '@/lib/identity/invitations/manage-invitations';
import { sentInvitationSchema } from '@/lib/identity/invitations/schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/invitations/{invitationId}/resend',
  summary: 'Make a new link for seven days; the one before is dead',
  auth: 'apiKey',
  scopes: ['members:write'],
  params: invitationParams,
  body: emptyBodySchema,
  response: sentInvitationSchema,
  handle: ({ scope, params }) => resendInvitation(scope, params.invitationId),
});
