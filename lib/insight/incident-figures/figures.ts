/** The figures of incidents. Pure. */
import { percentile } from '../analytics/frame';
import type { ChainFacts, IncidentFacts } from './facts';
import { type FixVerdict, type JudgedFix, judgeFix, SAME_FAULT_MS } from './judge-fixes';
import type { FixFigures, IncidentFigures, Spread } from './schema';

/** Fewer cases than this say little: they are marked. */
const SMALL_SAMPLE = 5;

const MICROS_PER_USD = 1_000_000;

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
    fixes: fixesOf(tries),
    fixesByTier: groupsOf(tries, ({ chain }) => [chain.highestTier])
      .map(([tier, found]) => ({ tier, ...fixesOf(found) }))
      .sort((one, other) => one.tier - other.tier),
    fixesByAction: groupsOf(tries, ({ chain: { actions } }) =>
      actions.length > 0 ? actions : [null],
    ).map(([action, found]) => ({ action, ...fixesOf(found) })),
    fixesByModel: groupsOf(tries, ({ chain }) => [chain.model]).map(([model, found]) => ({
      model,
      ...fixesOf(found),
    })),
    ...recurrenceOf(counted, now),
  };
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / 1_000);
}

/** Returns the median and the 90th percentile; null for no values. */
export function spreadOf(seconds: readonly number[]): Spread {
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

/** Tries by each of their keys, the most tries first. */
function groupsOf<Key extends string | number | null>(
  tries: readonly Try[],
  keysOf: (given: Try) => readonly Key[],
): [Key, Try[]][] {
  const groups = new Map<Key, Try[]>();
  for (const given of tries) {
    for (const key of new Set(keysOf(given))) {
      groups.set(key, [...(groups.get(key) ?? []), given]);
    }
  }
  return [...groups].sort(
    ([one, own], [other, others]) =>
      others.length - own.length || String(one).localeCompare(String(other)),
  );
}

function fixesOf(tries: readonly Try[]): FixFigures {
  const fixes = tries.flatMap((given) => given.fixes);
  const count = (verdict: FixVerdict) => fixes.filter((fix) => fix.verdict === verdict).length;
  const [proven, recurred, failed] = [count('proven'), count('recurred'), count('failed')];
  const decided = proven + recurred + failed;
  const booked = tries.flatMap(({ chain }) => chain.costMicros ?? []);
  const costMicros = booked.length > 0 ? booked.reduce((sum, micros) => sum + micros, 0) : null;
  const usd = (micros: number | null) => (micros === null ? null : micros / MICROS_PER_USD);
  return {
    chains: tries.length,
    reported: fixes.length,
    ...{ proven, recurred, failed, pending: count('pending'), unproven: count('unproven') },
    provisional: fixes.filter(({ isProvisional }) => isProvisional).length,
    provenRate: decided > 0 ? proven / decided : null,
    costUsd: usd(costMicros),
    isCostEstimated: tries.some(({ chain }) => chain.isCostEstimated),
    unbookedChains: tries.length - booked.length,
    costPerProvenFixUsd: usd(
      costMicros !== null && proven > 0 ? Math.round(costMicros / proven) : null,
    ),
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
