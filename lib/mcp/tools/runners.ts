import { z } from 'zod';
import { listRunners } from '@/lib/fleet/manage-runners';
import { nextCursorSchema, pageInput, readPage } from '../page';
import { defineTool, fieldsFor, READS } from '../tool';
import { plainLine, untrusted, untrustedSchema } from '../untrusted';

const runnerSchema = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  pool: z.string(),
  status: z.string(),
  allowed_tiers: z.array(z.number().int()),
  slots: z.number().int(),
  slots_in_use: z.number().int(),
  last_seen_at: z.string().optional(),
  paused_by: z.string().optional(),
  version: z.string().optional(),
  hostname: z.string().optional(),
  problems: z.array(z.object({ code: z.string(), message: untrustedSchema.optional() })),
});

export const listRunnersTool = defineTool({
  name: 'list_runners',
  title: 'List runners',
  description:
    'Use it when chains wait or don’t start: the hosts that run agents, whether they are online, which tiers they may run, and their problems. Newest first; revoked ones are included.',
  scopes: ['runners:read'],
  annotations: READS,
  input: pageInput,
  output: z.object({
    runners: z.array(runnerSchema),
    next_cursor: nextCursorSchema,
  }),
  run: async ({ scope, links }, input) => {
    const page = await readPage(
      input,
      (range) => listRunners(scope, range),
      (runner) => ({
        ...fieldsFor(runnerSchema, runner),
        name: plainLine(runner.name),
        url: links.runner(runner.id),
        pool: plainLine(runner.pool),
        paused_by: runner.pause === null ? null : plainLine(runner.pause.by),
        version:
          runner.capabilities === null ? null : plainLine(runner.capabilities.runnerVersion, 100),
        hostname:
          runner.capabilities === null ? null : plainLine(runner.capabilities.hostname, 100),
        problems: runner.problems.map(({ code, message }) => {
          return { code, message: untrusted('check of the host', message, 600) };
        }),
      }),
    );
    return { runners: page.rows, next_cursor: page.next_cursor };
  },
});
