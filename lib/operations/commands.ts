import { listCommands } from '@/lib/insight/commands/list-commands';
import { commandDtoSchema, commandQuerySchema } from '@/lib/insight/commands/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { operation } from './operation';

export const list = operation({
  method: 'GET',
  path: '/api/v1/commands',
  summary: 'List what confined agents had run on their hosts, or were refused, newest first',
  act: 'organization.read',
  scopes: ['commands:read'],
  query: commandQuerySchema,
  response: pageSchema(commandDtoSchema),
  run: ({ scope, query }) => listCommands(scope, query),
});
