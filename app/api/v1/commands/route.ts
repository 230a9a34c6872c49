import { route } from '@/lib/api/route';
import { listCommands } from '@/lib/insight/commands/list-commands';
import { commandDtoSchema, commandQuerySchema } from '@/lib/insight/commands/schema';
import { pageSchema } from '@/lib/platform/http/cursor';

export const GET = route({
  method: 'GET',
  path: '/api/v1/commands',
  summary: 'List what confined agents had run on their hosts, or were refused, newest first',
  auth: 'apiKey',
  scopes: ['commands:read'],
  query: commandQuerySchema,
  response: pageSchema(commandDtoSchema),
  handle: ({ scope, query }) => listCommands(scope, query),
});
