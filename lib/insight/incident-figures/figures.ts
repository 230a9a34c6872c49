/** The figures of incidents. Pure. */
import { percentile } from '../analytics/frame';
import type { ChainFacts, IncidentFacts } from './facts';
import {
  type Failures,
  type FixVerdict,
  failuresOf,
  hasRecurred,
  type JudgedFix,
  judgeFixes,
  SAME_FAULT_MS,
} from './judge-fixes';

/** Fewer cases than this say little: they are marked. */
export const SMALL_SAMPLE = 5;

/** How long something took, over some incidents. */
export interface Spread {
  incidents: number;
  p50Seconds: number;
  p90Seconds: number;
  isSmall: boolean;
}

/** Fixes of one tier, one action or one model. Money is micro-dollars. */
export interface FixGroup {
  /** `2`, `Bash(systemctl restart:*)`, a model; null where it isn't recorded. */
  key: string | null;
  /** Chains of incidents that reached a tier that may change something, or that reported a fix. */
  chains: number;
  reported: number;
  verdicts: Record<FixVerdict, number>;
  /** The part of the proven ones whose day isn't over. */
  provisional: number;
  /** Proven of those that are decided, 0 to 1; null while none is. */
  provenRate: number | null;
  /** What the chains have cost; null if none was booked. */
  costMicros: number | null;
  isCostEstimated: boolean;
  /** Chains without a booked cost, which the sum lacks. */
  unbooked: number;
  /** Null without a proven fix or without a booked cost. */
  costPerProvenMicros: number | null;
  isSmall: boolean;
}

export interface Recurrence {
  /** Incidents that are over. */
  ended: number;
  recurred: number;
  /** Ended less than a day ago and not back so far: undecided. */
  undecided: number;
  /** Of the decided ones, 0 to 1; null if there are none. */
  rate: number | null;
  isSmall: boolean;
}

export interface IncidentFigures {
  /** Incidents that were opened in the range. */
  incidents: number;
  /** The part that isn't resolved. */
  unresolved: number;
  /** The part that a person resolved: their recovery isn't proven. */
  resolvedByPerson: number;
  /** The part that was acknowledged at least once. */
  acknowledged: number;
  /** From the first failure to the opening. */
  timeToDetect: Spread | null;
  /** From the first failure to the first acknowledgement. */
  timeToAcknowledge: Spread | null;
  /** From the first failure to the recovery that the checks then proved. */
  timeToFix: Spread | null;
  fixes: FixGroup;
  fixesByTier: FixGroup[];
  fixesByAction: FixGroup[];
  fixesByModel: FixGroup[];
  recurrence: Recurrence;
  /** Services that failed again, most often first. */
  recurringServices: { name: string; incidents: number; recurred: number }[];
}

/** Resolutions that rest on checks. */
const PROVEN_RESOLUTIONS = ['recovered', 'fixed'];

/** Outcomes and tiers of chains that tried to change something. */
const FIRST_FIXING_TIER = 2;

/**
 * Returns the figures of incidents.
 *
 * @param incidents those of the range
 * @param later further ones, which only say what failed again
 * @param chains the chains of the incidents
 */
export function incidentFigures(
  incidents: readonly IncidentFacts[],
  later: readonly IncidentFacts[],
  chains: readonly ChainFacts[],
  now: Date,
): IncidentFigures {
  const failures = failuresOf([...incidents, ...later]);
  const counted = incidents.filter(({ resolution }) => resolution !== 'merged');
  const tries = triesOf(counted, chains, failures, now);
  const recovered = counted.filter(({ resolution }) =>
    PROVEN_RESOLUTIONS.includes(resolution ?? ''),
  );
  const acknowledgements = counted.flatMap(({ startedAt, events }) => {
    const first = events.find(({ kind }) => kind === 'acknowledged');
    return first ? [secondsBetween(startedAt, first.at)] : [];
  });
  const byTier = (one: FixGroup, other: FixGroup) => Number(one.key) - Number(other.key);
  return {
    incidents: counted.length,
    unresolved: counted.filter(({ state }) => state !== 'resolved').length,
    resolvedByPerson: counted.filter(({ resolution }) => resolution === 'manual').length,
    acknowledged: acknowledgements.length,
    timeToDetect: spreadOf(
      counted.map(({ startedAt, openedAt }) => secondsBetween(startedAt, openedAt)),
    ),
    timeToAcknowledge: spreadOf(acknowledgements),
    timeToFix: spreadOf(
      recovered.flatMap(({ startedAt, verifyingSince }) =>
        verifyingSince ? [secondsBetween(startedAt, verifyingSince)] : [],
      ),
    ),
    fixes: groupOf(null, tries),
    fixesByTier: groupsOf(tries, ({ chain }) => [String(chain.highestTier)]).sort(byTier),
    fixesByAction: groupsOf(tries, ({ chain: { actions } }) =>
      actions.length > 0 ? actions : [null],
    ).sort(mostChains),
    fixesByModel: groupsOf(tries, ({ chain }) => [chain.model]).sort(mostChains),
    ...recurrenceOf(counted, failures, now),
  };
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / 1_000);
}

/** Returns the median and the 90th percentile; null for no values. */
export function spreadOf(seconds: readonly number[]): Spread | null {
  const [p50Seconds, p90Seconds] = [percentile(seconds, 0.5), percentile(seconds, 0.9)];
  if (p50Seconds === null || p90Seconds === null) return null;
  const incidents = seconds.length;
  return { incidents, p50Seconds, p90Seconds, isSmall: incidents < SMALL_SAMPLE };
}

/** A chain that tried to change something, with the verdicts on its fix in each incident. */
interface Try {
  chain: ChainFacts;
  fixes: JudgedFix[];
}

function triesOf(
  incidents: readonly IncidentFacts[],
  chains: readonly ChainFacts[],
  failures: Failures,
  now: Date,
): Try[] {
  const fixes = incidents.flatMap((incident) => judgeFixes(incident, failures, now));
  const ofIncidents = new Set(incidents.flatMap(({ chainIds }) => chainIds));
  return chains
    .filter(({ id }) => ofIncidents.has(id))
    .map((chain) => ({ chain, fixes: fixes.filter(({ chainId }) => chainId === chain.id) }))
    .filter(
      ({ chain, fixes: own }) =>
        own.length > 0 || (chain.outcome !== null && chain.highestTier >= FIRST_FIXING_TIER),
    );
}

function groupsOf(
  tries: readonly Try[],
  keysOf: (given: Try) => readonly (string | null)[],
): FixGroup[] {
  const groups = new Map<string | null, Try[]>();
  for (const given of tries) {
    for (const key of new Set(keysOf(given))) {
      groups.set(key, [...(groups.get(key) ?? []), given]);
    }
  }
  return [...groups].map(([key, found]) => groupOf(key, found));
}

function mostChains(one: FixGroup, other: FixGroup): number {
  return other.chains - one.chains || String(one.key).localeCompare(String(other.key));
}

function groupOf(key: string | null, tries: readonly Try[]): FixGroup {
  const fixes = tries.flatMap((given) => given.fixes);
  const count = (verdict: FixVerdict) => fixes.filter((fix) => fix.verdict === verdict).length;
  const verdicts = {
    proven: count('proven'),
    recurred: count('recurred'),
    failed: count('failed'),
    pending: count('pending'),
    unproven: count('unproven'),
  };
  const { proven } = verdicts;
  const decided = proven + verdicts.recurred + verdicts.failed;
  const booked = tries.flatMap(({ chain }) => chain.costMicros ?? []);
  const costMicros = booked.length > 0 ? booked.reduce((sum, micros) => sum + micros, 0) : null;
  return {
    key,
    chains: tries.length,
    reported: fixes.length,
    verdicts,
    provisional: fixes.filter(({ isProvisional }) => isProvisional).length,
    provenRate: decided > 0 ? proven / decided : null,
    costMicros,
    isCostEstimated: tries.some(({ chain }) => chain.isCostEstimated),
    unbooked: tries.length - booked.length,
    costPerProvenMicros: costMicros !== null && proven > 0 ? Math.round(costMicros / proven) : null,
    isSmall: decided < SMALL_SAMPLE,
  };
}

function recurrenceOf(
  incidents: readonly IncidentFacts[],
  failures: Failures,
  now: Date,
): Pick<IncidentFigures, 'recurrence' | 'recurringServices'> {
  const outcomes = incidents.flatMap((incident) => {
    const endedAt = firstEndOf(incident);
    if (!endedAt) return [];
    const isBack = hasRecurred(incident, endedAt, failures);
    const isUndecided = !isBack && now.getTime() - endedAt.getTime() < SAME_FAULT_MS;
    return [{ incident, endedAt, isBack, isUndecided }];
  });
  const recurred = outcomes.filter(({ isBack }) => isBack).length;
  const undecided = outcomes.filter(({ isUndecided }) => isUndecided).length;
  const decided = outcomes.length - undecided;
  const services = new Map<string, { name: string; incidents: number; recurred: number }>();
  for (const { incident, endedAt } of outcomes) {
    for (const service of incident.services) {
      const isBack = hasRecurred({ services: [service] }, endedAt, failures);
      const known = services.get(service.serviceId) ?? { ...service, incidents: 0, recurred: 0 };
      services.set(service.serviceId, {
        name: service.name,
        incidents: known.incidents + 1,
        recurred: known.recurred + (isBack ? 1 : 0),
      });
    }
  }
  return {
    recurrence: {
      ...{ ended: outcomes.length, recurred, undecided },
      rate: decided > 0 ? recurred / decided : null,
      isSmall: decided < SMALL_SAMPLE,
    },
    recurringServices: [...services.values()]
      .filter((service) => service.recurred > 0)
      .sort((one, other) => other.recurred - one.recurred || one.name.localeCompare(other.name)),
  };
}

/** Returns when an incident was over for the first time: its recovery, or when a person resolved it. */
function firstEndOf({ events }: IncidentFacts): Date | null {
  const index = events.findIndex(({ kind }) => kind === 'verified' || kind === 'resolved');
  const end = events[index];
  if (!end) return null;
  if (end.kind === 'resolved') return end.at;
  const recovered = events.slice(0, index).findLast(({ kind }) => kind === 'service_recovered');
  return (recovered ?? end).at;
}
