import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { getOrganizationFacts, listProjectFacts, listRunnerFacts } from '../data';
import type { Overview } from '../schema';
import { troubleRank } from '../state';
import { pauseOf, toProjectFacts, toRunnerFacts } from '../to-facts';

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
