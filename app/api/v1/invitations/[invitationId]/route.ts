import { invitationParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { revokeInvitation } from '@/lib/identity/invitations/manage-invitations';
import { invitationDtoSchema } from '@/lib/identity/invitations/schema';

export const DELETE = route({
  method: 'DELETE',
  path: '/api/v1/invitations/{invitationId}',
  summary: 'Revoke an invitation; its link stops working immediately',
  auth: 'apiKey',
  scopes: ['members:write'],
  params: invitationParams,
  response: invitationDtoSchema,
  handle: ({ scope, params }) => revokeInvitation(scope, params.invitationId),
});
