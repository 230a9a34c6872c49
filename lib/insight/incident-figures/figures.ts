/** The figures of incidents. Pure. */
import { percentile } from '../analytics/frame';
import type { ChainFacts, IncidentFacts } from './facts';
import { type FixVerdict, type JudgedFix, judgeFix, SAME_FAULT_MS } from './judge-fixes';

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

/** What isn't counted, and why: numbers of incidents. */
export interface LeftOut {
  /** Part of another incident: not counted at all. */
  merged: number;
  /** Only the sources of their alerts say that they are over: not a fix. */
  reported: number;
  /** Nothing checks their services anymore: not a fix. */
  removed: number;
  /** Ended in a way that says nothing about a fix. */
  otherwise: number;
  /** Their verification began because a service left: without a time to fix. */
  wellByRemoval: number;
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
  leftOut: LeftOut;
  fixes: FixGroup;
  fixesByTier: FixGroup[];
  fixesByAction: FixGroup[];
  fixesByModel: FixGroup[];
  recurrence: Recurrence;
  /** Services that failed again, most often first. */
  recurringServices: { name: string; incidents: number; recurred: number }[];
}

/** Resolutions that rest on checks. Every other one, known or not, proves nothing. */
const PROVEN_RESOLUTIONS = ['recovered', 'fixed'];

/** Outcomes and tiers of chains that tried to change something. */
const FIRST_FIXING_TIER = 2;

/**
 * Returns the figures of incidents.
 *
 * @param incidents those of the range
 * @param chains the chains of the incidents
 */
export function incidentFigures(
  incidents: readonly IncidentFacts[],
  chains: readonly ChainFacts[],
  now: Date,
): IncidentFigures {
  const counted = incidents.filter(({ resolution }) => resolution !== 'merged');
  const tries = triesOf(counted, chains, now);
  const recovered = counted.filter(({ resolution }) =>
    PROVEN_RESOLUTIONS.includes(resolution ?? ''),
  );
  const timed = recovered.filter(({ isWellByRemoval }) => !isWellByRemoval);
  const acknowledgements = counted.flatMap(({ startedAt, acknowledgedAt }) =>
    acknowledgedAt ? [secondsBetween(startedAt, acknowledgedAt)] : [],
  );
  const endedAs = (resolution: string) =>
    incidents.filter((incident) => incident.resolution === resolution).length;
  const resolvedByPerson = endedAs('manual');
  const [reported, removed] = [endedAs('reported'), endedAs('removed')];
  const resolved = counted.filter(({ state }) => state === 'resolved').length;
  const byTier = (one: FixGroup, other: FixGroup) => Number(one.key) - Number(other.key);
  return {
    incidents: counted.length,
    unresolved: counted.length - resolved,
    resolvedByPerson,
    acknowledged: acknowledgements.length,
    timeToDetect: spreadOf(
      counted.map(({ startedAt, openedAt }) => secondsBetween(startedAt, openedAt)),
    ),
    timeToAcknowledge: spreadOf(acknowledgements),
    timeToFix: spreadOf(
      timed.flatMap(({ startedAt, verifyingSince }) =>
        verifyingSince ? [secondsBetween(startedAt, verifyingSince)] : [],
      ),
    ),
    leftOut: {
      ...{ merged: incidents.length - counted.length, reported, removed },
      otherwise: resolved - recovered.length - resolvedByPerson - reported - removed,
      wellByRemoval: recovered.length - timed.length,
    },
    fixes: groupOf(null, tries),
    fixesByTier: groupsOf(tries, ({ chain }) => [String(chain.highestTier)]).sort(byTier),
    fixesByAction: groupsOf(tries, ({ chain: { actions } }) =>
      actions.length > 0 ? actions : [null],
    ).sort(mostChains),
    fixesByModel: groupsOf(tries, ({ chain }) => [chain.model]).sort(mostChains),
    ...recurrenceOf(counted, now),
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
  now: Date,
): Try[] {
  const fixes = new Map<string, JudgedFix[]>();
  for (const incident of incidents) {
    for (const chainId of incident.chainIds) fixes.set(chainId, fixes.get(chainId) ?? []);
    for (const fix of incident.fixes) {
      const judged = judgeFix(incident, fix, now);
      fixes.set(fix.chainId, [...(fixes.get(fix.chainId) ?? []), judged]);
    }
  }
  return chains.flatMap((chain) => {
    const own = fixes.get(chain.id);
    if (!own) return [];
    const hasTried = chain.outcome !== null && chain.highestTier >= FIRST_FIXING_TIER;
    return own.length > 0 || hasTried ? [{ chain, fixes: own }] : [];
  });
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
  now: Date,
): Pick<IncidentFigures, 'recurrence' | 'recurringServices'> {
  const ended = incidents.filter(({ endedAt }) => endedAt !== null);
  const recurred = ended.filter(({ isBack }) => isBack).length;
  const undecided = ended.filter(
    ({ isBack, endedAt }) => !isBack && now.getTime() - (endedAt?.getTime() ?? 0) < SAME_FAULT_MS,
  ).length;
  const decided = ended.length - undecided;
  const services = new Map<string, { name: string; incidents: number; recurred: number }>();
  for (const { services: own, backServiceIds } of ended) {
    for (const { serviceId, name } of own) {
      const known = services.get(serviceId);
      services.set(serviceId, {
        name,
        incidents: (known?.incidents ?? 0) + 1,
        recurred: (known?.recurred ?? 0) + (backServiceIds.includes(serviceId) ? 1 : 0),
      });
    }
  }
  return {
    recurrence: {
      ...{ ended: ended.length, recurred, undecided },
      rate: decided > 0 ? recurred / decided : null,
      isSmall: decided < SMALL_SAMPLE,
    },
    recurringServices: [...services.values()]
      .filter((service) => service.recurred > 0)
      .sort((one, other) => other.recurred - one.recurred || one.name.localeCompare(other.name)),
  };
}
