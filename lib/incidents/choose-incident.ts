/** Which incident a failing service belongs to. Pure. */
import type { FailingStatus, IncidentResolution, IncidentState } from './states';

export interface IncidentCandidate {
  id: string;
  state: IncidentState;
  openedAt: Date;
  lastReopenedAt: Date | null;
  resolvedAt: Date | null;
  resolution: IncidentResolution | null;
  /** UUIDs. */
  serviceIds: readonly string[];
  /** UUIDs of those that failed when their status was last known. */
  failingIds: readonly string[];
  /** UUIDs of those that were never worse than degraded. */
  degradedIds: readonly string[];
}

export interface ChoosingFailure {
  /** UUID. */
  serviceId: string;
  status: FailingStatus;
  failingSince: Date;
}

export type Choice =
  | { kind: 'join'; id: string }
  /** `earlierId`: the last incident of the same service; null if there was none. */
  | { kind: 'open'; earlierId: string | null };

/**
 * Returns the incident that a failing service joins, if it doesn't open a new one: the one that it is part
 * of; else the one that a person ended although the same failure lasted; else one that was opened or reopened
 * within the last `groupSeconds`; else one of the same service that was resolved within the last
 * `reopenSeconds`, which it reopens. The window of a group doesn't move, so that an incident never takes in
 * whatever fails while it lasts.
 *
 * @param candidates newest first
 */
export function chooseIncident(
  candidates: readonly IncidentCandidate[],
  { serviceId, status, failingSince }: ChoosingFailure,
  now: Date,
  settings: { groupSeconds: number; reopenSeconds: number },
): Choice {
  const isWithin = (at: Date | null, seconds: number) =>
    at !== null && now.getTime() - at.getTime() <= seconds * 1_000;
  const active = candidates.filter(({ state }) => state !== 'resolved');
  const own = candidates.filter(({ serviceIds }) => serviceIds.includes(serviceId));
  const ended = own[0];
  const isEndedFailure =
    ended?.resolution === 'manual' &&
    ended.failingIds.includes(serviceId) &&
    !(status === 'down' && ended.degradedIds.includes(serviceId)) &&
    ended.resolvedAt !== null &&
    failingSince <= ended.resolvedAt;
  const chosen =
    own.find(({ state }) => state !== 'resolved') ??
    (isEndedFailure ? ended : undefined) ??
    active.find(({ openedAt, lastReopenedAt }) =>
      isWithin(lastReopenedAt ?? openedAt, settings.groupSeconds),
    ) ??
    own.find(
      ({ resolvedAt, resolution }) =>
        resolution !== 'merged' && isWithin(resolvedAt, settings.reopenSeconds),
    );
  if (chosen) return { kind: 'join', id: chosen.id };
  return { kind: 'open', earlierId: own[0]?.id ?? null };
}
