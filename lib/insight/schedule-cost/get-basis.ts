import { AGENTS } from '@/lib/agents/registry';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { HarnessName } from '@/lib/protocol/spec';
import { basisOf, type Observer } from './basis';
import { listTierOneCosts } from './data';
import type { CostBasis } from './estimate';

const DAYS = 30;

/** What the next chains of a project are expected to cost; `projectId` is its UUID. */
export function getCostBasis(
  scope: TenantScope,
  { projectId, ...observer }: Observer & { projectId: string },
  now = new Date(),
): Promise<CostBasis> {
  return inTransaction(scope, async (db) => {
    const ofProject = await listTierOneCosts(db, projectId, basisSince(now));
    return basisOf(observer, ofProject, await listTierOneCosts(db, null, basisSince(now)));
  });
}

/** The same for a new project with each agent, whose tier 1 has that agent's default model. */
export function getDefaultCostBases(
  scope: TenantScope,
  now = new Date(),
): Promise<Record<HarnessName, CostBasis>> {
  return inTransaction(scope, async (db) => {
    const ofOrganization = await listTierOneCosts(db, null, basisSince(now));
    const entries = Object.values(AGENTS).map(({ name, tierModels: [model] }) => [
      name,
      basisOf({ harness: name, model }, [], ofOrganization),
    ]);
    return Object.fromEntries(entries);
  });
}

/** Returns since when chains count for what the next ones are expected to cost. */
export function basisSince(now: Date): Date {
  return new Date(now.getTime() - DAYS * 86_400_000);
}
