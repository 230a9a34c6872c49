/** What became of fixes that chains reported in incidents, by the checks alone. Pure. */
import type { FigureEvent, IncidentFacts } from './facts';

/**
 * `proven`: the checks passed for the whole verification, and the service has not failed again since or did
 * so after more than a day. `recurred`: it failed again within a day. `failed`: it kept failing, failed
 * during the verification, or needed another chain or a person. `pending`: it is still being verified.
 * `unproven`: a person resolved the incident first, or the recovery came without the fix being confirmed.
 */
export const FIX_VERDICTS = ['proven', 'recurred', 'failed', 'pending', 'unproven'] as const;
export type FixVerdict = (typeof FIX_VERDICTS)[number];

/** A failure within this time after a recovery is the same fault. */
export const SAME_FAULT_MS = 24 * 3_600_000;

export interface JudgedFix {
  chainId: string;
  verdict: FixVerdict;
  /** Proven, but the day in which the same fault may come back isn't over. */
  isProvisional: boolean;
}

/** Every failure that is known: when each service began to fail. */
export type Failures = ReadonlyMap<string, readonly Date[]>;

/** Returns the failures of all incidents, by service. */
export function failuresOf(incidents: readonly Pick<IncidentFacts, 'events'>[]): Failures {
  const failures = new Map<string, Date[]>();
  for (const { kind, serviceId, failingSince, at } of incidents.flatMap(({ events }) => events)) {
    if (kind !== 'service_failing' || !serviceId) continue;
    const since = failingSince ? new Date(failingSince) : at;
    failures.set(serviceId, [...(failures.get(serviceId) ?? []), since]);
  }
  return failures;
}

/** Whether any of the services failed again within a day after they had recovered. */
export function hasRecurred(
  incident: Pick<IncidentFacts, 'services'>,
  recoveredAt: Date,
  failures: Failures,
): boolean {
  return incident.services.some(({ serviceId }) =>
    failures.get(serviceId)?.some((at) => at > recoveredAt && isSameFault(recoveredAt, at)),
  );
}

function isSameFault(recoveredAt: Date, at: Date): boolean {
  return at.getTime() - recoveredAt.getTime() <= SAME_FAULT_MS;
}

/** Returns the verdict on each fix that was reported in an incident, in the order of the reports. */
export function judgeFixes(incident: IncidentFacts, failures: Failures, now: Date): JudgedFix[] {
  const { events } = incident;
  return events.flatMap((event, index) => {
    const { kind, outcome, chainId } = event;
    if (kind !== 'chain_ended' || outcome !== 'fixed' || !chainId) return [];
    return [{ chainId, ...judge(incident, chainId, index, failures, now) }];
  });
}

function judge(
  incident: IncidentFacts,
  chainId: string,
  reportedIndex: number,
  failures: Failures,
  now: Date,
): Omit<JudgedFix, 'chainId'> {
  const reported = incident.events[reportedIndex] as FigureEvent;
  const later = incident.events.slice(reportedIndex + 1);
  const failing = failingAt(incident.events.slice(0, reportedIndex));
  const verdicts = later.map((event) => verdictOf(event, reported, chainId, failing));
  const end = verdicts.findIndex((verdict) => verdict !== null);
  const settling = later[end];
  const is = (verdict: FixVerdict) => ({ verdict, isProvisional: false });
  if (!settling) return is(incident.state === 'resolved' ? 'unproven' : 'pending');
  const verdict = verdicts[end];
  if (verdict !== 'proven') return is(verdict ?? 'unproven');
  const recoveredAt = recoveryBefore(incident.events, reportedIndex + 1 + end);
  if (hasRecurred(incident, recoveredAt, failures)) return is('recurred');
  // Without a later event, the incident's own row says which chain it credits.
  const isLast = !later.slice(end + 1).some(({ kind }) => kind === 'service_failing');
  if (isLast && incident.fixChainId !== chainId) return is('unproven');
  return { verdict: 'proven', isProvisional: isSameFault(recoveredAt, now) };
}

/** Returns the services that fail after these events, by UUID. */
function failingAt(events: readonly FigureEvent[]): Set<string> {
  const failing = new Set<string>();
  for (const event of events) follow(event, failing);
  return failing;
}

function follow({ kind, serviceId }: FigureEvent, failing: Set<string>): void {
  if (!serviceId) return;
  if (kind === 'service_failing') failing.add(serviceId);
  if (kind === 'service_recovered') failing.delete(serviceId);
}

/**
 * Returns what an event after a reported fix says about the fix; null if nothing.
 *
 * @param failing the services that fail before it; brought up to date
 */
function verdictOf(
  event: FigureEvent,
  reported: FigureEvent,
  ownChainId: string,
  failing: Set<string>,
): FixVerdict | null {
  const { kind, serviceId, failingSince, chainId, at } = event;
  const isSameFailure = serviceId !== undefined && failing.has(serviceId);
  follow(event, failing);
  switch (kind) {
    case 'verified':
      return 'proven';
    case 'resolved':
      return 'unproven';
    case 'needs_human':
    case 'look_refused':
      return 'failed';
    case 'chain_started':
      return chainId === ownChainId ? null : 'failed';
    case 'service_failing':
      // What still fails may look different until the fix takes effect, such as by a restart. One that had
      // begun to fail before only joined.
      if (isSameFailure) return null;
      return (failingSince ? new Date(failingSince) : at) > reported.at ? 'failed' : null;
    default:
      return null;
  }
}

/** Returns when the last service had recovered before the event of this index. */
function recoveryBefore(events: readonly FigureEvent[], index: number): Date {
  const before = events.slice(0, index);
  const recovered = before.findLast(({ kind }) => kind === 'service_recovered');
  return (recovered ?? (events[index] as FigureEvent)).at;
}
