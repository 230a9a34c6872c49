import { invitationParams } from '@/lib/api/params';
import { route } from '@/lib/api/route';
import { invitationDtoSchema } from '@/lib/identity/invitations/schema';
import { revokeInvitation } from '@/lib/identity/invitations/service/revoke-invitation';

export const DELETE = route({
  method: 'DELETE',
  path: '/api/v1/invitations/{invitationId}',
  summary: 'Revoke an invitation; its link is dead at once',
  auth: 'apiKey',
  scopes: ['members:write'],
  params: invitationParams,
  response: invitationDtoSchema,
  handle: ({ scope, params }) => revokeInvitation(scope, params.invitationId),
});
