/** What a chain found out about services that no check watches without an agent. Pure. */
import type { ChainOutcome } from '@/lib/engine/statuses';
import type { ResultStatus } from '@/lib/monitoring/check-state';
import { cutText } from '@/lib/platform/format/text';
import type { EventOf } from './events/registry';
import { NEED_A_HUMAN } from './transitions';

/** The last that a chain found out about a service. */
export interface Observation {
  /** UUID. */
  serviceId: string;
  name: string;
  /** A check watches it without an agent. */
  isWatched: boolean;
  /** What the checks found that the runner ran in the chain; null without any. */
  measured: Finding | null;
  /** What its agents reported; null if they said nothing about it. */
  reported: Finding | null;
}

interface Finding {
  status: ResultStatus;
  /** The first that is known of this failure. */
  since: Date;
  /** What is wrong; of an agent or another system. */
  error: string;
}

type Found = EventOf<'service_failing' | 'service_recovered'>;

/** Outcomes of chains whose agents say that nothing is wrong at the end. */
const WELL = ['healthy', 'fixed'];

/** Characters of an error. */
const ERROR_CHARS = 500;

/**
 * Returns what the end of a chain means to incidents: the failures before the recoveries. Checks that watch
 * a service decide about it, so a chain says nothing about it. Of the others, what the runner measured counts
 * before what an agent reported, and what nobody could check says nothing. A chain that was stopped has found
 * nothing out.
 */
export function findingsOf(
  { chainId, outcome }: { chainId: string; outcome: ChainOutcome | null },
  observations: readonly Observation[],
): Found[] {
  if (outcome === null || outcome === 'stopped' || outcome === 'skipped') return [];
  const events = observations.flatMap((observation): Found[] => {
    const { serviceId, name, isWatched, measured, reported } = observation;
    const finding = measured ?? reported;
    if (isWatched || !finding || finding.status === 'unknown') return [];
    const { status, since, error } = finding;
    const source = { chainId, isReported: measured === null };
    if (status === 'healthy') return [{ kind: 'service_recovered', serviceId, ...source }];
    if (measured === null && WELL.includes(outcome)) return [];
    return [
      {
        ...{ kind: 'service_failing', serviceId, name, status, ...source },
        failingSince: since.toISOString(),
        error: cutText(error, ERROR_CHARS),
        needsHuman: NEED_A_HUMAN.includes(outcome),
      },
    ];
  });
  return [
    ...events.filter(({ kind }) => kind === 'service_failing'),
    ...events.filter(({ kind }) => kind === 'service_recovered'),
  ];
}
