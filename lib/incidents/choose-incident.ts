/** Which incident a failing service belongs to. Pure. */
import { type Incident, presentServices } from './incident';
import { serviceIdsOf } from './signals-of-incident';
import type { FailingStatus } from './states';

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
  candidates: readonly (Incident & { id: string })[],
  { serviceId, status, failingSince }: ChoosingFailure,
  now: Date,
  settings: { groupSeconds: number; reopenSeconds: number },
): Choice {
  const isWithin = (at: Date, seconds: number) => now.getTime() - at.getTime() <= seconds * 1_000;
  const active = candidates.filter(({ state }) => state !== 'resolved');
  const own = candidates.filter((incident) => serviceIdsOf(incident).includes(serviceId));
  const ended = own[0];
  const isEndedFailure =
    ended?.state === 'resolved' &&
    ended.resolution === 'manual' &&
    failingSince <= ended.resolvedAt &&
    presentServices(ended).some(
      (service) =>
        service.serviceId === serviceId &&
        service.wasFailing &&
        !(status === 'down' && service.worst === 'degraded'),
    );
  const chosen =
    own.find(({ state }) => state !== 'resolved') ??
    (isEndedFailure ? ended : undefined) ??
    active.find(({ openedAt, lastReopenedAt }) =>
      isWithin(lastReopenedAt ?? openedAt, settings.groupSeconds),
    ) ??
    own.find(
      (each) =>
        each.state === 'resolved' &&
        each.resolution !== 'merged' &&
        isWithin(each.resolvedAt, settings.reopenSeconds),
    );
  if (chosen) return { kind: 'join', id: chosen.id };
  return { kind: 'open', earlierId: own[0]?.id ?? null };
}
