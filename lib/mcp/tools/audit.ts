import { z } from 'zod';
import { listAudit } from '@/lib/identity/audit/read-audit';
import { auditFilterSchema } from '@/lib/identity/audit/schema';
import { projectInput, projectOf } from '../inputs';
import { nextCursorSchema, pageInput, readPage } from '../page';
import { defineTool, fieldsFor, READS } from '../tool';
import { plainLine, untrusted, untrustedSchema } from '../untrusted';

const { actor, action, from, to } = auditFilterSchema.shape;

const entrySchema = z.object({
  seq: z.number().int(),
  at: z.string(),
  actor: z.string(),
  actor_label: z.string(),
  action: z.string(),
  target: z.string(),
  project: z.string().optional(),
  detail: untrustedSchema.optional(),
});

export const listAuditEntriesTool = defineTool({
  name: 'list_audit_entries',
  title: 'List audit entries',
  description:
    'Use it to find out who did what and when: people, tokens, runners and the system. Newest first. Filter by action (runner.revoked, or runner for all of that kind), actor (user:…, api_token:…), project or time. Calls by this protocol name their client and tool call in the detail.',
  scopes: ['audit:read'],
  annotations: READS,
  input: pageInput.extend({
    action: action.meta({ description: 'One action, or a kind of thing for all of its actions.' }),
    actor: actor.meta({ description: 'As entries name it.' }),
    project: projectInput.optional(),
    from: from.meta({ description: 'ISO 8601 time; entries at or after it.' }),
    to: to.meta({ description: 'ISO 8601 time; entries before it.' }),
  }),
  output: z.object({
    entries: z.array(entrySchema),
    next_cursor: nextCursorSchema,
  }),
  run: async (call, { project, limit, cursor, ...filter }) => {
    const named = { ...filter, project: projectOf(call, project) };
    const page = await readPage(
      { limit, cursor },
      (range) => listAudit(call.scope, { ...named, ...range }),
      (entry) => ({
        ...fieldsFor(entrySchema, entry),
        actor_label: plainLine(entry.actorLabel),
        target: plainLine(entry.target),
        detail:
          Object.keys(entry.detail).length === 0
            ? null
            : untrusted('detail of the entry', JSON.stringify(entry.detail), 1_200),
      }),
    );
    return { entries: page.rows, next_cursor: page.next_cursor };
  },
});
