import { unique } from '../../escalation/affected';
import { isUnmeasured, sameResult } from './build';
import type { Handoff, HandoffCheck } from './schema';

export interface MergedHandoff {
  handoff: Handoff;
  /** One sentence for an event, where file and report say different things. */
  disagreement: string | null;
}

/**
 * One handoff from the agent's file and the one built from its report: the file decides the
 * wish and its own fields, services come from both.
 */
export function handoffFromFileAndReport(input: {
  file: Handoff;
  built: Handoff;
  /** `escalation` of the report; null without a report. */
  reportWish: { wanted: boolean; services: readonly string[] } | null;
  tier: 1 | 2;
}): MergedHandoff {
  const { file, built, reportWish, tier } = input;
  return {
    handoff: {
      ...built,
      ...file,
      services_affected: unique([...file.services_affected, ...(reportWish?.services ?? [])]),
      check_results: tier === 2 ? built.check_results : withMeasured(file, built),
      // The control plane counts actions itself; what the agent believes stands below it.
      cooldown_state: { ...file.cooldown_state, ...built.cooldown_state },
    },
    disagreement: reportWish ? disagreement(file, reportWish, tier) : null,
  };
}

/** What the agent wrote, and after it whatever the control plane knows besides. */
function withMeasured(file: Handoff, built: Handoff): HandoffCheck[] {
  const isInFile = (check: HandoffCheck) =>
    isUnmeasured(check)
      ? file.check_results.some(({ service }) => service === check.service)
      : file.check_results.some(sameResult(check));
  const added = built.check_results.filter((check) => !isInFile(check));
  return [...file.check_results, ...added];
}

function disagreement(
  file: Handoff,
  wish: { wanted: boolean; services: readonly string[] },
  tier: number,
): string | null {
  if (!wish.wanted) {
    return `Tier ${tier}'s handoff asks for tier ${file.recommended_tier}, its report asks for none. The handoff counts.`;
  }
  const missing = wish.services.filter((name) => !file.services_affected.includes(name));
  const added = file.services_affected.filter((name) => !wish.services.includes(name));
  if (missing.length === 0 && added.length === 0) return null;
  return `Tier ${tier}'s handoff names ${listed(file.services_affected)}, its report ${listed(wish.services)}. Both count.`;
}

function listed(names: readonly string[]): string {
  return names.length > 0 ? names.join(', ') : 'no service';
}
