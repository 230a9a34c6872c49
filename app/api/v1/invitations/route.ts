import { route } from '@/lib/api/route';
import { inviteMember, listInvitations } from '@/lib/identity/invitations/manage-invitations';
import {
  createInvitationSchema,
  invitationDtoSchema,
  sentInvitationSchema,
} from '@/lib/identity/invitations/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';

const path = '/api/v1/invitations';

export const GET = route({
  method: 'GET',
  path,
  summary: 'List open and expired invitations, newest first',
  auth: 'apiKey',
  scopes: ['members:read'],
  query: pageQuerySchema,
  response: pageSchema(invitationDtoSchema),
  handle: ({ scope, query }) => listInvitations(scope, query),
});

export const POST = route({
  method: 'POST',
  path,
  summary: 'Invite an address; without a mail server the response shows the link once',
  auth: 'apiKey',
  scopes: ['members:write'],
  body: createInvitationSchema,
  response: sentInvitationSchema,
  handle: ({ scope, body }) => inviteMember(scope, body),
});
