import {
  inviteMember,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from '@/lib/identity/invitations/manage-invitations';
import {
  createInvitationSchema,
  invitationDtoSchema,
  sentInvitationSchema,
} from '@/lib/identity/invitations/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { emptyBodySchema } from './bodies';
import { operation } from './operation';

export const resend = operation({
  method: 'POST',
  path: '/api/v1/invitations/{invitationId}/resend',
  summary: 'Create a new link that expires in seven days; the previous link stops working',
  act: 'member.manage',
  scopes: ['members:write'],
  body: emptyBodySchema,
  response: sentInvitationSchema,
  refusals: { 409: 'It was used or revoked.' },
  run: ({ scope, params }) => resendInvitation(scope, params.invitationId),
});

export const revoke = operation({
  method: 'DELETE',
  path: '/api/v1/invitations/{invitationId}',
  summary: 'Revoke an invitation; its link stops working immediately',
  act: 'member.manage',
  scopes: ['members:write'],
  response: invitationDtoSchema,
  run: ({ scope, params }) => revokeInvitation(scope, params.invitationId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/invitations',
  summary: 'List open and expired invitations, newest first',
  act: 'member.manage',
  scopes: ['members:read'],
  query: pageQuerySchema,
  response: pageSchema(invitationDtoSchema),
  run: ({ scope, query }) => listInvitations(scope, query),
});

export const create = operation({
  method: 'POST',
  path: '/api/v1/invitations',
  summary: 'Invite an address; without a mail server the response shows the link once',
  act: 'member.manage',
  scopes: ['members:write'],
  body: createInvitationSchema,
  example: { email: 'bo@example.com', role: 'operator' },
  response: sentInvitationSchema,
  refusals: { 409: 'The address belongs to a member.' },
  run: ({ scope, body }) => inviteMember(scope, body),
});
