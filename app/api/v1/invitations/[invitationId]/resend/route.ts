import { emptyBodySchema } from '@/lib/api/bodies';
import { invitationParams } from '@/lib/api/params';
import { route } from '@/lib/api/route';
import { sentInvitationSchema } from '@/lib/identity/invitations/schema';
import { resendInvitation } from '@/lib/identity/invitations/service/send-invitation';

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
