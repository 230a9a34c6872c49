import { pageQuerySchema, pageSchema } from '@/lib/http/cursor';
import { route } from '@/lib/http/route';
import {
  createInvitationSchema,
  invitationDtoSchema,
  sentInvitationSchema,
} from '@/lib/invitations/schema';
import { listInvitations } from '@/lib/invitations/service/list-invitations';
import { inviteMember } from '@/lib/invitations/service/send-invitation';

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
  summary: 'Invite an address; without a mail server the answer shows the link once',
  auth: 'apiKey',
  scopes: ['members:write'],
  body: createInvitationSchema,
  response: sentInvitationSchema,
  handle: ({ scope, body }) => inviteMember(scope, body),
});
