import { refusalClause } from '@/lib/engine/approvals/data';
import { refusalOfStart } from '@/lib/engine/approvals/refusals';
import { approvalFact } from '@/lib/engine/approvals/start-fact';
import { approvalTitle } from '@/lib/engine/approvals/words';
import { pausesOf } from '@/lib/engine/attempt/holds';
import { budgetFacts } from '@/lib/engine/budget';
import { cooldownState } from '@/lib/engine/cooldowns/state';
import { strictest, unprovenFact } from '@/lib/engine/hosts/pool-hosts';
import { NOTHING_HOLDS, type StartFacts } from '@/lib/engine/start-policy/facts';
import { approvalStatusSchema } from '@/lib/engine/statuses';
import { openWindow } from '@/lib/projects/maintenance/window';
import { namedServices } from '@/lib/projects/service-names';
import { tierSchema } from '@/lib/protocol/spec';
import { type ClaimFacts, requiresApproval, type TierWork } from './facts';
import { isDryRun } from './start-spec';

/**
 * Returns the facts of the gates: the stricter of what the chain froze and what is configured now.
 */
export function startFacts(work: TierWork, now: Date): StartFacts {
  const { attempt, organization, project, session, frozen, live, holds, spending, actions } = work;
  const tier = tierSchema.parse(session.tier);
  const isReconcile = attempt.purpose === 'reconcile';
  const asked: StartFacts = {
    ...NOTHING_HOLDS,
    tier,
    projectName: project.name,
    pauses: pausesOf({ organization, project, tierPauses: holds.tierPauses }),
    maintenance: openWindow(live.maintenance, now),
    snoozes: holds.snoozes,
    acknowledgements: holds.acknowledgements,
    services: tier > 1 ? affectedBy(work) : [],
    maxTier: tierSchema.parse(Math.min(frozen.maxTier, live.maxTier)),
    enabledTiers: live.tiers.flatMap((each) => (each.isEnabled ? each.tier : [])),
    unconfined: work.unconfined,
    unproven: isReconcile
      ? null
      : unprovenFact(tier, strictest([frozen, live]), frozen.harness, work.runner),
  };
  // It only observes, so that people know what the lost attempt did.
  if (isReconcile) return asked;
  return {
    ...asked,
    isDryRun: isDryRun(work),
    budgets: budgetFacts(spending, live.budgets),
    cooldowns: cooldownState(live.cooldowns, actions, namedServices(frozen.services), now),
    approval:
      startRefused(work) ??
      approvalFact(
        work.approvals.map((row) => ({
          ...row,
          status: approvalStatusSchema.parse(row.status),
          title: approvalTitle(row),
          refusal: refusalClause(row),
        })),
        {
          attemptId: attempt.id,
          purpose: attempt.purpose,
          needsApproval: requiresApproval([frozen, live], tier),
          earlier: work.attemptsBefore,
        },
        now,
      ),
  };
}

/** What people have refused about starts of this tier or of one below it, in the incident. */
function startRefused({ attempt, refusals, session }: TierWork): StartFacts['approval'] {
  const refused = attempt.purpose === 'tier' ? refusalOfStart(refusals, session.tier) : null;
  return refused && { kind: 'refused', title: approvalTitle(refused), refusal: refused.refusal };
}

/** Returns the services that the previous tier handed on; none for the first tier. */
export function affectedBy({ given }: Pick<ClaimFacts, 'given'>): readonly string[] {
  return given?.services_affected ?? [];
}
