/** Which incident a firing alert belongs to. Pure. */
import type { SignalSeverity } from '@/lib/signals/schema';
import type { Incident } from './incident';

export type SignalCandidate = Incident & {
  id: string;
  /** UUIDs of the services that it is about, by checks or by alerts. */
  serviceIds: readonly string[];
};

/** An incident with the same alert, in this occurrence or another. */
export interface SameSignal {
  incidentId: string;
  isThisOccurrence: boolean;
  /** A person has resolved it. */
  isManual: boolean;
}

export interface ChoosingSignal {
  /** UUID; null if it names no service of the project. */
  serviceId: string | null;
  severity: SignalSeverity;
  /** It had ended, so what a person decided about this occurrence before is no longer about it. */
  isReopened: boolean;
  /** Newest first. */
  same: readonly SameSignal[];
}

export type SignalChoice =
  | { kind: 'join'; id: string }
  /** `earlierId`: the last incident of the same alert or service; null if there was none. */
  | { kind: 'open'; earlierId: string | null }
  /** A person has ended the incident of this occurrence and it still fires, or the alert is informational. */
  | { kind: 'ignore' };

/**
 * Returns the incident that a firing alert joins, if it doesn't open a new one: the active one that has
 * the same alert; else the active one of its service; else one that was opened within the last
 * `groupSeconds`; else one of the same alert or service that was resolved within the last
 * `reopenSeconds`, which it reopens. The window of a group doesn't move.
 *
 * An alert of the severity `info` joins an active incident of its own, and does nothing else: one that
 * always fires proves that the path works, and not that something is wrong.
 *
 * @param candidates active ones and those that were resolved lately, newest first
 */
export function chooseForSignal(
  candidates: readonly SignalCandidate[],
  { serviceId, severity, isReopened, same }: ChoosingSignal,
  now: Date,
  settings: { groupSeconds: number; reopenSeconds: number },
): SignalChoice {
  const isWithin = (at: Date, seconds: number) => now.getTime() - at.getTime() <= seconds * 1_000;
  const sameIds = new Set(same.map(({ incidentId }) => incidentId));
  const active = candidates.filter(({ state }) => state !== 'resolved');
  const isOfService = ({ serviceIds }: SignalCandidate) =>
    serviceId !== null && serviceIds.includes(serviceId);
  const own = active.find(({ id }) => sameIds.has(id)) ?? active.find(isOfService);
  if (own) return { kind: 'join', id: own.id };
  const isMuted =
    !isReopened && same.some(({ isThisOccurrence, isManual }) => isThisOccurrence && isManual);
  if (isMuted || severity === 'info') return { kind: 'ignore' };
  const resolved = candidates.filter((each) => each.state === 'resolved');
  const earlier = [
    ...resolved.filter(({ id }) => sameIds.has(id)),
    ...resolved.filter(isOfService),
  ];
  const chosen =
    active.find(({ openedAt }) => isWithin(openedAt, settings.groupSeconds)) ??
    earlier.find(
      ({ resolvedAt, resolution }) =>
        resolution !== 'merged' && isWithin(resolvedAt, settings.reopenSeconds),
    );
  if (chosen) return { kind: 'join', id: chosen.id };
  return { kind: 'open', earlierId: earlier[0]?.id ?? same[0]?.incidentId ?? null };
}
