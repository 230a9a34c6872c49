/** Sentences about an incident, for messages and pages. Pure. */
import { roughSpan } from '@/lib/platform/format/duration';
import { presentServices } from './apply-event';
import type { AffectedService, Incident } from './incident';
import type { FailingStatus } from './states';

/** Writes a moment for the reader: `14:56 UTC`. */
export type Clock = (at: Date) => string;

type Subject = Pick<Incident, 'startedAt' | 'services'>;

/** `web`, `web and api`, `web, api and 3 more`. */
export function listNames(names: readonly string[]): string {
  if (names.length > 3) return `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The worst that the incident's services were: `web down`, `web and api degraded`. */
export function incidentTitle({ services }: Pick<Incident, 'services'>): string {
  const worst: FailingStatus = services.some((service) => service.worst === 'down')
    ? 'down'
    : 'degraded';
  const names = services.filter((service) => service.worst === worst).map(({ name }) => name);
  return `${listNames(names)} ${worst}`;
}

/** What fails now, and since when. */
export function failureSentence({ startedAt, services }: Subject, clock: Clock): string {
  const failing = presentServices({ services }).filter(({ status }) => status !== 'healthy');
  const groups = (['down', 'degraded', 'unknown'] as const).flatMap((status) => {
    const names = failing.filter((service) => service.status === status).map(({ name }) => name);
    return names.length === 0 ? [] : [clauseOf(names, status)];
  });
  if (groups.length === 0) return 'All of its services are healthy.';
  return `${groups.join(', and ')}. It began at ${clock(startedAt)}.`;
}

function clauseOf(names: readonly string[], status: FailingStatus | 'unknown'): string {
  const is = names.length === 1 ? 'is' : 'are';
  if (status === 'unknown') return `${listNames(names)} can’t be checked`;
  return `${listNames(names)} ${is} ${status}`;
}

/** How it ended, and after how long. */
export function resolutionSentence(
  incident: Subject & Pick<Incident, 'resolution' | 'resolvedBy' | 'resolvedAt' | 'verifyingSince'>,
  clock: Clock,
): string {
  const { startedAt, services, resolution, resolvedBy, resolvedAt, verifyingSince } = incident;
  const names = listNames(services.map(({ name }) => name));
  const end = verifyingSince ?? resolvedAt ?? startedAt;
  const length = roughSpan(Math.max(0, Math.round((end.getTime() - startedAt.getTime()) / 1_000)));
  if (resolution === 'manual') return `${resolvedBy ?? 'A person'} resolved it after ${length}.`;
  if (resolution === 'removed') {
    return `Nothing checks ${names} anymore, so it is resolved without a proven recovery, after ${length}.`;
  }
  const is = services.length === 1 ? 'has' : 'have';
  const how = resolution === 'fixed' ? ' An agent reported a fix, and the checks confirm it.' : '';
  return `${names} ${is} been healthy since ${clock(end)}, after ${length}.${how}`;
}

/** The error of the worst failing service; null if none says anything. */
export function firstError(services: readonly AffectedService[]): string | null {
  const failing = services.filter(({ status }) => status === 'down' || status === 'degraded');
  const worst = failing.find(({ status }) => status === 'down') ?? failing[0];
  return worst?.error || null;
}
