import { emptyBodySchema, invitationParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { resendInvitation } from '@/lib/identity/invitations/manage-invitations';
import { sentInvitationSchema } from '@/lib/identity/invitations/schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/invitations/{invitationId}/resend',
  summary: 'Create a new link that expires in seven days; the previous link stops working',
  auth: 'apiKey',
  scopes: ['members:write'],
  params: invitationParams,
  body: emptyBodySchema,
  response: sentInvitationSchema,
  handle: ({ scope, params }) => resendInvitation(scope, params.invitationId),
});
