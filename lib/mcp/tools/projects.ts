import { z } from 'zod';
import { hasTokenScope } from '@/lib/identity/token-scopes';
import { countPending } from '@/lib/insight/approvals/list-approvals';
import { type Attention, attentionOf, attentionText } from '@/lib/insight/dashboard/attention';
import { getOverview } from '@/lib/insight/dashboard/get-overview';
import { summarizeOrganization, summarizeProject } from '@/lib/insight/dashboard/health-summary';
import { usdOf } from '@/lib/platform/format/cost';
import { listProjects } from '@/lib/projects/manage-project';
import { nextCursorSchema, pageInput, readPage } from '../page';
import { defineTool, READS, type ToolCall } from '../tool';
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

/** Sentences name services and people, and quote how the newest chain ended. */
const SOURCE = 'state of services and chains';
const MAX_ITEMS = 20;
const MAX_PROJECTS = 30;

/** `2026-11-21 14:56 UTC`: readers are in any zone. */
const utcClock = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const getStatusTool = defineTool({
  name: 'get_status',
  title: 'Get the status',
  description:
    'Use it first: one sentence about the whole organization, what needs attention (worst first), and the state of each project with its newest chain. Up to 30 projects, those in trouble first; list_projects has all. Services and errors in detail: list_projects, get_chain.',
  scopes: ['projects:read', 'chains:read'],
  annotations: READS,
  input: z.strictObject({}),
  output: z.object({
    organization: z.string(),
    url: z.string(),
    sentence: untrustedSchema.optional(),
    attention: z.array(
      z.object({ project: z.string().optional(), text: untrustedSchema.optional() }),
    ),
    attention_count: z.number().int(),
    projects: z.array(
      z.object({
        slug: z.string(),
        name: z.string(),
        url: z.string(),
        state: z.string(),
        sentence: untrustedSchema.optional(),
        newest_chain: z
          .object({
            number: z.number().int(),
            status: z.string(),
            outcome: z.string().optional(),
            url: z.string(),
          })
          .optional(),
        spend_24h_usd: z.number(),
      }),
    ),
    project_count: z.number().int(),
    runners_online: z.number().int(),
    runner_count: z.number().int(),
    approvals_waiting: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Missing if the token has no scope for approvals.' }),
  }),
  run: async ({ scope, links, place }) => {
    const overview = await getOverview(scope);
    const items = attentionOf(overview);
    const telling = { now: overview.now, clock: utcClock };
    return {
      organization: place.organizationSlug,
      url: links.home,
      sentence: untrusted(SOURCE, summarizeOrganization(overview, utcClock).sentence, 500),
      attention: items.slice(0, MAX_ITEMS).map((item) => ({
        project: slugOf(item),
        text: untrusted(SOURCE, attentionText(item, telling), 400),
      })),
      attention_count: items.length,
      projects: overview.projects.slice(0, MAX_PROJECTS).map((project) => {
        const { condition, short } = summarizeProject(project, overview, utcClock);
        const chain = project.lastChain;
        return {
          slug: project.slug,
          name: plainLine(project.name, 100),
          url: links.project(project.slug),
          state: condition.state,
          sentence: untrusted(SOURCE, short, 250),
          newest_chain: chain && {
            number: chain.number,
            status: chain.status,
            outcome: chain.outcome,
            url: links.chain(project.slug, chain.number),
          },
          spend_24h_usd: usdOf(project.last24hMicros),
        };
      }),
      project_count: overview.projects.length,
      runners_online: overview.runners.filter(({ isOnline }) => isOnline).length,
      runner_count: overview.runners.length,
      approvals_waiting: await approvalsWaiting(scope),
    };
  },
});

function slugOf(item: Attention): string | null {
  return 'project' in item ? item.project.slug : null;
}

async function approvalsWaiting(scope: ToolCall['scope']): Promise<number | null> {
  const { actor } = scope;
  const maySee = actor.kind === 'api_token' && hasTokenScope(actor.scopes, 'approvals:read');
  return maySee ? countPending(scope) : null;
}
