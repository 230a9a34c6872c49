/** Sentences about an incident, for messages and pages. Pure. */
import { formatCounted } from '@/lib/platform/format/count';
import { roughSpan } from '@/lib/platform/format/duration';
import { cutText } from '@/lib/platform/format/text';
import { visibleText } from '@/lib/platform/format/visible-text';
import {
  type AffectedService,
  type Ending,
  type Incident,
  type IncidentIn,
  type IncidentSignals,
  type Need,
  presentServices,
  type UnprovenCheck,
} from './incident';
import { anySignalFires, serviceNamesOf } from './signals-of-incident';
import type { FailingStatus } from './states';

/** Writes a moment for the reader: `14:56 UTC`. */
export type Clock = (at: Date) => string;

/** `2026-11-26 03:02 UTC`: where no time zone of a reader is known. */
export function utcClock(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

interface Affected extends Pick<Incident, 'services'> {
  /** Null or absent: it is about checks alone. */
  alerts?: IncidentSignals | null;
}

interface Subject extends Affected, Pick<Incident, 'startedAt' | 'reopenings' | 'lastReopenedAt'> {
  /** Null or absent: nobody has to act. */
  needsHuman?: Pick<Need, 'unproven'> | null;
}

/** `web`, `web and api`, `web, api and 3 more`. */
export function listNames(names: readonly string[]): string {
  if (names.length > 3) return `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Characters of a title that another system gave an alert. */
const QUOTED_CHARS = 200;

/** Text of another system on one line, in quotation marks. */
export function quoted(text: string): string {
  const line = visibleText(text.toWellFormed()).replace(/\s+/g, ' ').trim();
  return `“${cutText(line, QUOTED_CHARS)}”`;
}

/**
 * Returns the names of what an incident is about, and in few words what it is: `web and api`, or the title of
 * an alert that names no service.
 */
export function subjectOf({
  services,
  alerts,
}: {
  services: readonly { name: string }[];
  alerts?: { title: string; services: readonly string[] } | null | undefined;
}): { names: string[]; words: string } {
  const names = [...new Set([...services.map(({ name }) => name), ...(alerts?.services ?? [])])];
  const words = names.length > 0 || !alerts?.title ? listNames(names) : quoted(alerts.title);
  return { names, words };
}

/**
 * The worst that the incident's services were: `web down`, `web and api degraded`. If only alerts
 * report it, the title of the first one: `web: “High latency”`.
 */
export function incidentTitle({ services, alerts }: Affected): string {
  if (services.length === 0 && alerts) {
    const names = listNames(alerts.services.map(({ name }) => name));
    return names ? `${names}: ${quoted(alerts.title)}` : quoted(alerts.title);
  }
  const worst: FailingStatus = services.some((service) => service.worst === 'down')
    ? 'down'
    : 'degraded';
  const names = services.filter((service) => service.worst === worst).map(({ name }) => name);
  return `${listNames(names)} ${worst}`;
}

/** What fails now, and since when. */
export function failureSentence(incident: Subject, clock: Clock): string {
  const { services, needsHuman } = incident;
  const failing = presentServices({ services }).filter(({ status }) => status !== 'healthy');
  const groups = (['down', 'degraded', 'unknown'] as const).flatMap((status) => {
    const names = failing.filter((service) => service.status === status).map(({ name }) => name);
    return names.length === 0 ? [] : [clauseOf(names, status)];
  });
  if (groups.length === 0) {
    const state = signalSentence(incident, clock);
    const unproven = needsHuman?.unproven;
    return unproven ? `${state} ${unprovenSentence(unproven)}` : state;
  }
  return `${groups.join(', and ')}. ${beginningOf(incident, clock)}`;
}

/** Which checks give no proof: `Nothing proves the recovery: the http check of web gives no result.` */
export function unprovenSentence(checks: readonly UnprovenCheck[]): string {
  const named = [...new Set(checks.map(({ type, service }) => `${type} check of ${service}`))];
  const give = named.length === 1 ? 'gives' : 'give';
  return `Nothing proves the recovery: the ${listNames(named)} ${give} no result.`;
}

/** What alerts report, where no check fails. */
function signalSentence(incident: Subject, clock: Clock): string {
  const { services, alerts = null } = incident;
  if (!alerts) return 'All of its services are healthy.';
  const { firing } = alerts;
  if (!anySignalFires({ alerts })) {
    return services.length > 0
      ? 'All of its services are healthy, and its alerts have ended.'
      : 'Its alerts have ended.';
  }
  const about = alerts.services.filter(({ serviceId }) => firing.serviceIds.includes(serviceId));
  const names = listNames(about.map(({ name }) => name));
  const what = names ? `An alert fires for ${names}` : 'An alert fires';
  // Its checks may have failed before the alert began.
  const began = beginningOf(incident, clock, services.length > 0 ? 'The incident' : 'It');
  return `${what}: ${quoted(alerts.title)}. ${began}`;
}

/** In between, an incident that was reopened was resolved. */
function beginningOf({ startedAt, lastReopenedAt }: Subject, clock: Clock, what = 'It'): string {
  const again = lastReopenedAt ? `, and was reopened at ${clock(lastReopenedAt)}` : '';
  return `${what} began at ${clock(startedAt)}${again}.`;
}

/** What an incident waits for that is being verified. */
export function verifyingSentence({
  services,
  alerts,
  source,
}: Pick<Incident, 'source'> & { services: readonly unknown[]; alerts?: unknown }): string {
  if (source === 'finding') {
    return 'The last chain found all of its services healthy. It is resolved unless one finds otherwise during the verification.';
  }
  return services.length === 0 && alerts
    ? 'Its alerts have ended. It is resolved once nothing has been reported for the whole verification.'
    : 'All of its services are healthy. It is resolved once they have stayed so for the whole verification.';
}

function clauseOf(names: readonly string[], status: FailingStatus | 'unknown'): string {
  const is = names.length === 1 ? 'is' : 'are';
  if (status === 'unknown') return `${listNames(names)} can’t be checked`;
  return `${listNames(names)} ${is} ${status}`;
}

/** The incident that it was merged into. */
interface Merged {
  mergedInto?: { number: number } | null;
}

/** What fails, or how it ended. */
export function summaryOf(incident: Incident & Merged, clock: Clock): string {
  return incident.state === 'resolved'
    ? resolutionSentence(incident, clock)
    : failureSentence(incident, clock);
}

/** How it ended, and after how long. */
export function resolutionSentence(
  incident: Subject &
    Ending &
    Pick<IncidentIn<'resolved'>, 'resolvedAt' | 'verifyingSince'> &
    Merged,
  clock: Clock,
): string {
  const { startedAt, resolution, resolvedAt, verifyingSince, alerts = null } = incident;
  const affected = serviceNamesOf({ ...incident, alerts });
  const names = listNames(affected);
  if (incident.resolution === 'merged') {
    const into = incident.mergedInto
      ? `Incident #${incident.mergedInto.number}`
      : 'another incident';
    return `${incident.resolvedBy} merged it into ${into}: it is the same outage.`;
  }
  const end = verifyingSince ?? resolvedAt;
  const span = roughSpan(Math.max(0, Math.round((end.getTime() - startedAt.getTime()) / 1_000)));
  const { reopenings } = incident;
  const length = reopenings > 0 ? `${span} and ${formatCounted(reopenings, 'reopening')}` : span;
  if (incident.resolution === 'manual')
    return `${incident.resolvedBy} resolved it after ${length}.`;
  if (resolution === 'removed') {
    return `Nothing checks ${names} anymore, so it is resolved without a proven recovery, after ${length}.`;
  }
  if (resolution === 'reported') {
    return alerts && presentServices(incident).length === 0
      ? `The source reported the end at ${clock(end)}, after ${length}. No check confirms it.`
      : `The last chain found ${names} healthy at ${clock(end)}, after ${length}. No check without an agent confirms it.`;
  }
  const left = leftUnproven(incident);
  const well = affected.filter((name) => !left.includes(name));
  const is = well.length === 1 ? 'has' : 'have';
  const how = resolution === 'fixed' ? ' An agent reported a fix, and the checks confirm it.' : '';
  const rest =
    left.length > 0
      ? ` Nothing checks ${listNames(left)} anymore, so no recovery is proven there.`
      : '';
  return `${listNames(well)} ${is} been healthy since ${clock(end)}, after ${length}.${how}${rest}`;
}

/** Names of services that left an incident without a recovery. */
function leftUnproven({ services }: Pick<Incident, 'services'>): string[] {
  return services.flatMap(({ name, status, removedAt }) =>
    removedAt !== null && status !== 'healthy' ? name : [],
  );
}

/** The error of the worst failing service; null if none says anything. */
export function firstError(services: readonly AffectedService[]): string | null {
  const failing = services.filter(({ status }) => status === 'down' || status === 'degraded');
  const worst = failing.find(({ status }) => status === 'down') ?? failing[0];
  return worst?.error || null;
}
