import { listCheckPasts, listLastLatencies } from '@/lib/monitoring/check-history-rows';
import { serviceSpans } from '@/lib/monitoring/service-spans';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { requireProject } from '@/lib/projects/manage-project';
import { compareConditions, conditionOf } from './condition';
import {
  getOrganizationFacts,
  listProjectFacts,
  listRecentHealth,
  listRunnerFacts,
  listServiceRows,
} from './data';
import type { Overview, ProjectFacts, ServiceFacts } from './schema';
import { pauseOf, toProjectFacts, toRunnerFacts, toServiceFacts } from './to-facts';

// Made once: `localeCompare` makes one for every comparison.
const { compare: compareNames } = new Intl.Collator('en');

/** Three queries, whatever the number of projects. */
export function getOverview(scope: TenantScope, now = new Date()): Promise<Overview> {
  return inTransaction(scope, async (db) => {
    const organization = await getOrganizationFacts(db);
    const projects = (await listProjectFacts(db, now)).map((row) => toProjectFacts(row, now));
    const runners = (await listRunnerFacts(db)).map((row) => toRunnerFacts(row, now));
    const facts = {
      name: organization.name,
      isDemo: organization.isDemo,
      pause: pauseOf(organization),
    };
    return {
      now,
      organization: facts,
      projects: worstFirst(projects, { organization: facts, runners }),
      runners,
      isDryRunForced: env().isDryRunForced,
      thresholdOverride: env().resumeContextThreshold,
    };
  });
}

function worstFirst(
  projects: readonly ProjectFacts[],
  around: Pick<Overview, 'organization' | 'runners'>,
): ProjectFacts[] {
  return projects
    .map((project) => ({ project, condition: conditionOf(project, around) }))
    .toSorted(
      (one, other) =>
        compareConditions(one.condition, other.condition) ||
        compareNames(one.project.name, other.project.name),
    )
    .map(({ project }) => project);
}

/** The UUID behind a slug or a `prj_…`. Throws NotFoundError. */
export function getProjectId(scope: TenantScope, reference: string): Promise<string> {
  return inTransaction(scope, async (db) => (await requireProject(db, reference)).id);
}

const DAY_MS = 24 * 3_600_000;

/**
 * The project's services in the order of the configuration, each with its last 24 hours by its own checks,
 * or without such checks with its newest chains.
 */
export function getServiceHealth(
  scope: TenantScope,
  projectId: string,
  now = new Date(),
): Promise<ServiceFacts[]> {
  return inTransaction(scope, async (db) => {
    const services = await listServiceRows(db, projectId);
    const ids = services.map(({ id }) => id);
    const day = { from: new Date(now.getTime() - DAY_MS), to: now };
    const pasts = await listCheckPasts(db, ids, day.from);
    const latencies = await listLastLatencies(db, ids);
    const isChecked = services.every(({ id }) => pasts.has(id));
    const chains = isChecked ? [] : await listRecentHealth(db, projectId);
    return services.map((service) => {
      const checks = pasts.get(service.id);
      if (!checks) return toServiceFacts(service, chains, now);
      return {
        ...toServiceFacts(service, [], now),
        latencyMs: latencies.get(service.id) ?? null,
        past: serviceSpans(checks, day),
      };
    });
  });
}
