/** What people have configured that holds starts of a project back. */
import { type Tier, tierSchema } from '@/lib/protocol/spec';

/** A pause of the organization, the project or one of its tiers. */
export interface PauseFact {
  scope: 'organization' | 'project' | 'tier';
  /** Name of the organization, if known. */
  name?: string;
  /** Set if the scope is a tier. */
  tier?: Tier;
  by: string;
  since: Date;
}

interface TierPause {
  tier: number;
  by: string;
  since: Date;
}

export interface Snooze {
  service: string;
  until: Date;
}

/** A person has acknowledged the service, in a chain that needed a human or in an incident. */
export interface Acknowledgement {
  service: string;
  by: string;
  /** Null if it was in an incident. */
  chainNumber: number | null;
  /** Null if it was in a chain. */
  incidentNumber: number | null;
}

export interface Holds {
  tierPauses: TierPause[];
  snoozes: Snooze[];
  acknowledgements: Acknowledgement[];
}

interface PausableRow {
  name: string;
  pausedAt: Date | null;
  pausedBy: string | null;
}

/** Returns every active pause: the organization's, the project's, then those of its tiers. */
export function pausesOf({
  organization,
  project,
  tierPauses,
}: {
  organization: PausableRow;
  project: PausableRow;
  tierPauses: readonly TierPause[];
}): PauseFact[] {
  const pause = (scope: 'organization' | 'project', row: PausableRow): PauseFact[] =>
    row.pausedAt
      ? [{ scope, name: row.name, by: row.pausedBy ?? 'someone', since: row.pausedAt }]
      : [];
  return [
    ...pause('organization', organization),
    ...pause('project', project),
    ...tierPauses.map(({ tier, by, since }): PauseFact => {
      return { scope: 'tier', tier: tierSchema.parse(tier), by, since };
    }),
  ];
}
