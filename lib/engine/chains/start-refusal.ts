/** Whether people or the calendar keep a chain from being started by hand. */

import { type Pausable, pausedOf } from '@/lib/identity/pauses/pauses';
import type { OpenWindow } from '@/lib/projects/maintenance/schema';
import { openWindowClause } from '@/lib/projects/maintenance/window';

export interface StartFacts {
  tier: number;
  organization: Pausable;
  project: Pausable;
  tierPauses: readonly { tier: number; pausedBy: string }[];
  /** What is open now. */
  window: OpenWindow | null;
}

/** What is in the way and what to do about it; null where nothing is. */
export function startRefusal(facts: StartFacts): string | null {
  const { tier, organization, project, tierPauses, window } = facts;
  const paused = pausedOf({ organization, project });
  if (paused) return `${paused.name} is paused by ${paused.by}. Resume it first.`;
  const tierPause = tierPauses.find((pause) => pause.tier === tier);
  if (tierPause) {
    return `Tier ${tier} of ${project.name} is paused by ${tierPause.pausedBy}. Resume it first.`;
  }
  if (!window || (window.effect === 'observe_only' && tier === 1)) return null;
  const only = window.effect === 'observe_only' ? ' Only tier 1 may start.' : '';
  return `Nothing was started: ${openWindowClause(window)}.${only} Wait for its end, or change it in the settings.`;
}
