/** The paging of an incident as its page shows it. */

import type { TenantScope } from '@/lib/platform/db/scope';
import { inSnapshot } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import { findRun, listSteps } from './data';
import { nextStep } from './due-step';
import type { Recipients } from './schema';

export interface IncidentPagingDto {
  policyName: string;
  /** Steps of the plan; those with higher numbers repeat the last one. */
  stepCount: number;
  /** Since the incident was announced, in order. `recipients` null: skipped, since a later one was due. */
  steps: { number: number; at: string; recipients: Recipients | null }[];
  /** Null: none is left, or the incident is resolved. `at` null: it waits until the incident is open. */
  next: { number: number; at: string | null } | null;
  isOver: boolean;
}

/** @param incidentId `inc_…` @returns null if the incident's project had no policy */
export function getIncidentPaging(
  scope: TenantScope,
  incidentId: string,
): Promise<IncidentPagingDto | null> {
  const id = requireId('inc', incidentId);
  return inSnapshot(scope, async (db) => {
    const found = await findRun(db, id);
    if (!found) return null;
    const { policyName, plan, run, endedAt } = found;
    const steps = await listSteps(db, id, run);
    const next = endedAt ? null : nextStep(found);
    return {
      ...{ policyName, stepCount: plan.steps.length, isOver: endedAt !== null },
      steps: steps.map((step) => ({ ...step, at: step.at.toISOString() })),
      next: next && { number: next.number, at: next.at?.toISOString() ?? null },
    };
  });
}
