import { z } from 'zod';
import { listProjects } from '@/lib/projects/manage-project';
import { nextCursorSchema, pageInput, readPage } from '../page';
import { defineTool, READS } from '../tool';
import { plainLine, untrusted, untrustedSchema } from '../untrusted';

const MAX_SERVICES = 20;

export const listProjectsTool = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description:
    'Use it to find a project’s slug, and the state of its services and of its running chain. Newest first, with up to 20 services each. Settings aren’t included.',
  scopes: ['projects:read'],
  annotations: READS,
  input: pageInput,
  output: z.object({
    projects: z.array(
      z.object({
        id: z.string(),
        slug: z.string(),
        name: z.string(),
        url: z.string(),
        max_tier: z.number().int(),
        dry_run: z.boolean(),
        next_run_at: z.string().optional(),
        paused_by: z.string().optional(),
        live_chain: z
          .object({ id: z.string(), number: z.number().int(), status: z.string() })
          .optional(),
        services: z.array(
          z.object({
            name: z.string(),
            status: z.string(),
            since: z.string().optional(),
            last_error: untrustedSchema.optional(),
            snoozed_until: z.string().optional(),
          }),
        ),
        service_count: z.number().int(),
      }),
    ),
    next_cursor: nextCursorSchema,
  }),
  run: async ({ scope, links }, input) => {
    const page = await readPage(
      input,
      (range) => listProjects(scope, range),
      (project) => ({
        id: project.id,
        slug: project.slug,
        name: plainLine(project.name),
        url: links.project(project.slug),
        max_tier: project.maxTier,
        dry_run: project.dryRun,
        next_run_at: project.nextRunAt,
        paused_by: project.pause === null ? null : plainLine(project.pause.by),
        live_chain: project.liveChain,
        services: project.serviceStates.slice(0, MAX_SERVICES).map((service) => ({
          name: plainLine(service.name),
          status: service.status,
          since: service.statusSince,
          last_error: untrusted('last check of the service', service.lastError, 300),
          snoozed_until: service.snooze?.until ?? null,
        })),
        service_count: project.serviceStates.length,
      }),
    );
    return { projects: page.rows, next_cursor: page.next_cursor };
  },
});
