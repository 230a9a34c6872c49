import type { Tier } from '@/lib/protocol/spec';
import {
  endRunnerPause,
  pauseOrganization,
  pauseProject,
  pauseRunner,
  pauseTier,
  resumeOrganization,
  resumeProject,
  resumeTier,
} from '../actions';

/** What a person can pause. */
export type Pausable =
  | { kind: 'organization' }
  /** `project` is a slug. */
  | { kind: 'project'; project: string }
  | { kind: 'tier'; project: string; tier: Tier }
  | { kind: 'runner'; runnerId: string };

interface PauseWords {
  reason: string;
  /** Null: until someone resumes. */
  minutes: number | null;
  /** `chn_…` of the chain that is to be stopped, too. */
  stopChainId: string | null;
}

export function pauseIt(
  organizationSlug: string,
  what: Pausable,
  { reason, minutes, stopChainId }: PauseWords,
) {
  const said = { organizationSlug, reason, minutes };
  switch (what.kind) {
    case 'organization':
      return pauseOrganization(said);
    case 'project':
      return pauseProject({ ...said, project: what.project, stopChainId });
    case 'tier':
      return pauseTier({ ...said, project: what.project, tier: what.tier });
    case 'runner':
      return pauseRunner({ ...said, runnerId: what.runnerId });
  }
}

export function resumeIt(organizationSlug: string, what: Pausable) {
  switch (what.kind) {
    case 'organization':
      return resumeOrganization({ organizationSlug });
    case 'project':
      return resumeProject({ organizationSlug, project: what.project });
    case 'tier':
      return resumeTier({ organizationSlug, project: what.project, tier: what.tier });
    case 'runner':
      return endRunnerPause({ organizationSlug, runnerId: what.runnerId });
  }
}

/** What a pause does, in one sentence. */
export function effectOf(what: Pausable, name: string): string {
  switch (what.kind) {
    case 'organization':
      return `No chain of any project of ${name} starts meanwhile.`;
    case 'project':
      return `No chain of ${name} starts meanwhile, scheduled or manual.`;
    case 'tier':
      return what.tier === 1
        ? 'Without tier 1 no chain starts meanwhile, scheduled or manual.'
        : `What needs tier ${what.tier} meanwhile ends as suppressed, with its reason.`;
    case 'runner':
      return `${name} gets no new attempts until then. Other runners in its pool continue.`;
  }
}
