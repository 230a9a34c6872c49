import type { ProjectConfig } from '@/lib/projects/schema';
import { pausesOf } from '../../attempt/holds';
import { budgetFacts, type Spending } from '../../budget';
import { type ClosedGate, closedGate, NOTHING_HOLDS } from '../../start-policy';

/**
 * Whether a turn may start. It only looks, and a person has asked for it: maintenance, dry run and a
 * chain that runs don't hold it.
 */
export function turnGate(
  facts: {
    organization: Parameters<typeof pausesOf>[0]['organization'];
    project: Parameters<typeof pausesOf>[0]['project'];
    config: Pick<ProjectConfig, 'budgets' | 'runnerPool'>;
    /** Of the project. */
    spending: Spending;
    hasPool: boolean;
  },
  now: Date,
): ClosedGate | null {
  const { organization, project, config, spending, hasPool } = facts;
  return closedGate(
    {
      ...NOTHING_HOLDS,
      tier: 1,
      projectName: project.name,
      pauses: pausesOf({ organization, project, tierPauses: [] }),
      budgets: budgetFacts(spending, { ...config.budgets, chainUsd: null }),
      missingPool: hasPool ? null : config.runnerPool,
    },
    now,
  );
}
