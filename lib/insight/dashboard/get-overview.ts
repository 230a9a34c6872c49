import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { requireProject } from '@/lib/projects/manage-project';
import {
  getOrganizationFacts,
  listProjectFacts,
  listRecentHealth,
  listRunnerFacts,
  listServiceRows,
} from './data';
import type { Overview, ServiceFacts } from './schema';
import { troubleRank } from './state';
import { pauseOf, toProjectFacts, toRunnerFacts, toServiceFacts } from './to-facts';

// Made once: `localeCompare` makes one for every comparison.
const { compare: compareNames } = new Intl.Collator('en');

/** Three queries, whatever the number of projects. */
export function getOverview(scope: TenantScope, now = new Date()): Promise<Overview> {
  return inTransaction(scope, async (db) => {
    const organization = await getOrganizationFacts(db);
    const projects = (await listProjectFacts(db, now)).map((row) => toProjectFacts(row, now));
    const runners = (await listRunnerFacts(db)).map((row) => toRunnerFacts(row, now));
    return {
      now,
      organization: {
        name: organization.name,
        isDemo: organization.isDemo,
        pause: pauseOf(organization),
      },
      projects: projects.toSorted(
        (one, other) => troubleRank(one) - troubleRank(other) || compareNames(one.name, other.name),
      ),
      runners,
      isDryRunForced: env().isDryRunForced,
      thresholdOverride: env().resumeContextThreshold,
    };
  });
}

/** The UUID behind a slug or a `prj_…`. Throws NotFoundError. */
export function getProjectId(scope: TenantScope, reference: string): Promise<string> {
  return inTransaction(scope, async (db) => (await requireProject(db, reference)).id);
}

/** The project's services in the order of the configuration, each with its newest cycles. */
export function getServiceHealth(
  scope: TenantScope,
  projectId: string,
  now = new Date(),
): Promise<ServiceFacts[]> {
  return inTransaction(scope, async (db) => {
    const services = await listServiceRows(db, projectId);
    const chains = await listRecentHealth(db, projectId);
    return services.map((service) => toServiceFacts(service, chains, now));
  });
}
