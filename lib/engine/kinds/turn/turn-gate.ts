import type { ProjectConfig } from '@/lib/projects/schema';
import { pausesOf } from '../../attempt/holds';
import { budgetFacts, type Spending } from '../../budget';
import { closedGate } from '../../start-policy/closed-gate';
import { NOTHING_HOLDS, type UnconfinedFact } from '../../start-policy/facts';
import type { ClosedGate } from '../../start-policy/gate';

/**
 * Returns the gate that is closed for a turn; null if it may start. A turn only observes and a
 * person asked for it, so maintenance, dry run and a running chain don't hold it back.
 */
export function turnGate(
  facts: {
    organization: Parameters<typeof pausesOf>[0]['organization'];
    project: Parameters<typeof pausesOf>[0]['project'];
    config: Pick<ProjectConfig, 'budgets' | 'runnerPool'>;
    /** What the project has spent. */
    spending: Spending;
    hasPool: boolean;
    /** Null until a runner claims it. */
    unconfined?: UnconfinedFact | null;
  },
  now: Date,
): ClosedGate | null {
  const { organization, project, config, spending, hasPool, unconfined = null } = facts;
  return closedGate(
    {
      ...NOTHING_HOLDS,
      tier: 1,
      projectName: project.name,
      pauses: pausesOf({ organization, project, tierPauses: [] }),
      budgets: budgetFacts(spending, { ...config.budgets, chainUsd: null }),
      missingPool: hasPool ? null : config.runnerPool,
      unconfined,
    },
    now,
  );
}
