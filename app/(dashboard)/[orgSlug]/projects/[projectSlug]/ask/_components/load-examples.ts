import { listChains } from '@/lib/insight/chains/list-chains';
import type { ChainItem } from '@/lib/insight/chains/schema';
import { getServiceHealth } from '@/lib/insight/dashboard/get-overview';
import type { ProjectFacts } from '@/lib/insight/dashboard/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { exampleQuestions } from './example-questions';

const LOOKED_AT = 20;
const WAITS_FOR_PEOPLE = ['needs_human', 'failed', 'lost'];

/** Questions made from the newest chains, the services and the spending of a project. */
export async function loadExamples(scope: TenantScope, project: ProjectFacts): Promise<string[]> {
  const [services, { data: chains }] = await Promise.all([
    getServiceHealth(scope, project.id),
    listChains(scope, { project: project.slug, limit: LOOKED_AT }),
  ]);
  const newest = (isWanted: (chain: ChainItem) => boolean) => chains.find(isWanted) ?? null;
  const needsHuman = newest(({ outcome }) => WAITS_FOR_PEOPLE.includes(outcome ?? ''));
  const fixed = newest(({ outcome }) => outcome === 'fixed');
  return exampleQuestions({
    projectName: project.name,
    needsHuman,
    fixed: fixed && { number: fixed.number, services: fixed.servicesAffected },
    services,
    dayMicros: project.dayMicros,
    monthMicros: project.monthMicros,
  });
}
