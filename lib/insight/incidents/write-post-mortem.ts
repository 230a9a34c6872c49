/** An incident as a Markdown document. Pure. */

import { isByPerson } from '@/lib/incidents/events/registry';
import { INCIDENT_EVENT_KINDS } from '@/lib/incidents/states';
import type { IncidentDetail } from '@/lib/incidents/view';
import { formatCost, microsOf } from '@/lib/platform/format/cost';
import { formatCounted } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import type { IncidentAction } from './actions';
import type { SignalOfIncident, SignalsOfIncident } from './get-signals';
import { code, inline, link } from './markdown';

export interface PostMortemFacts {
  incident: IncidentDetail;
  actions: readonly IncidentAction[];
  alerts: SignalsOfIncident;
  /** Micro-dollars by chain (`chn_…`); null or missing where nothing was booked. */
  costs: ReadonlyMap<string, { micros: number | null; isEstimated: boolean }>;
  /** Address of this installation, without a slash at the end. */
  publicUrl: string;
  /** `/acme` */
  organizationRoot: string;
  /** When it is written. */
  now: Date;
}

/** As many commands as the document lists. */
const MAX_ACTIONS = 200;

/**
 * Returns the document: what happened, in which every line of the timeline links to its evidence, and a
 * heading for what people have to answer. Times are in UTC.
 */
export function writePostMortem(facts: PostMortemFacts): string {
  const { incident } = facts;
  const sections = [
    [`# Post-mortem: Incident #${incident.number}, ${inline(incident.title)}`, ...intro(facts)],
    ['## Impact', ...impact(facts)],
    ['## Timeline', 'All times are in UTC.', list(timeline(facts))],
    ...(facts.alerts.count > 0 ? [['## Alerts', list(signals(facts))]] : []),
    ['## What was done', list(done(facts))],
    ['## Cost', list(cost(facts))],
    ['## People', list(people(incident))],
    ['## Resolution', ...resolution(facts)],
    ['## Open questions'],
  ];
  return `${sections.flat().join('\n\n')}\n`;
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function intro({ incident, publicUrl, organizationRoot, now }: PostMortemFacts): string[] {
  const { number, project, summary } = incident;
  const page = `${publicUrl}${projectRoot(organizationRoot, incident)}/incidents/${number}`;
  return [
    inline(summary),
    `Project ${inline(project.name)}, ${link(`Incident #${number}`, page)}. Exported ${utc(now)} UTC.`,
  ];
}

function projectRoot(organizationRoot: string, { project }: IncidentDetail): string {
  return `${organizationRoot}/projects/${project.slug}`;
}

function impact({ incident, now }: PostMortemFacts): string[] {
  const { startedAt, services, severity, reopenings } = incident;
  const end = endOf(incident);
  const length = formatDuration((end ?? now).getTime() - Date.parse(startedAt));
  const times = reopenings === 1 ? 'once' : `${reopenings} times`;
  return [
    list([
      `Severity: ${severity}`,
      `Began: ${utc(startedAt)} UTC`,
      end ? `Recovered: ${utc(end)} UTC, after ${length}` : `Not recovered: ${length} so far`,
      ...(reopenings > 0 ? [`Reopened ${times}`] : []),
    ]),
    'Services:',
    list(services.map((service) => serviceLine(service, now))),
  ];
}

/** When everything was healthy, or when a person resolved it; null while something fails. */
function endOf({ verifyingSince, resolvedAt }: IncidentDetail): Date | null {
  const end = verifyingSince ?? resolvedAt;
  return end === null ? null : new Date(end);
}

function serviceLine(
  { name, worst, status, failingSince, recoveredAt, error }: IncidentDetail['services'][number],
  now: Date,
): string {
  const until = recoveredAt === null ? now : new Date(recoveredAt);
  const length = formatDuration(until.getTime() - Date.parse(failingSince));
  const span =
    recoveredAt === null
      ? `since ${utc(failingSince)} UTC, ${status === 'unknown' ? 'not checked now' : `still ${status}`}, ${length} so far`
      : `from ${utc(failingSince)} to ${utc(recoveredAt)} UTC, ${length}`;
  return `${code(name)}: ${worst} ${span}${error === '' ? '' : `. Check: ${inline(error)}`}`;
}

function timeline({ incident, publicUrl, organizationRoot }: PostMortemFacts): string[] {
  const { number, earlierEvents, earlierUntil } = incident;
  const page = `${publicUrl}${projectRoot(organizationRoot, incident)}/incidents/${number}`;
  return [
    ...(earlierUntil === null
      ? []
      : [
          `${formatCounted(earlierEvents, 'earlier event')}: ${link(`Incident #${number}`, `${page}?until=${earlierUntil}`)}`,
        ]),
    ...incident.timeline.map(
      ({ at, text, evidence }) =>
        `${utc(at)}: ${inline(text)} ${link(evidence.label, `${publicUrl}${evidence.path}`)}`,
    ),
  ];
}

function signals({ incident, alerts: found, publicUrl, organizationRoot }: PostMortemFacts) {
  const settings = `${publicUrl}${projectRoot(organizationRoot, incident)}/settings/alerts`;
  const rest = found.count - found.alerts.length;
  return [
    ...found.alerts.map((signal) => signalLine(signal, settings)),
    ...(rest > 0 ? [`${formatCounted(rest, 'older alert')} not listed.`] : []),
  ];
}

function signalLine(signal: SignalOfIncident, settings: string): string {
  const { title, source, severity, status, service, startedAt, endedAt, repeats } = signal;
  const about = service === null ? 'no service' : code(service);
  const end =
    endedAt === null
      ? 'still firing'
      : status === 'stale'
        ? `last reported ${utc(endedAt)} UTC, its end is unknown`
        : `ended ${utc(endedAt)} UTC, as the source reports`;
  const again = repeats > 0 ? `, repeated ${repeats === 1 ? 'once' : `${repeats} times`}` : '';
  return `${inline(title)}: ${severity}, ${about}, since ${utc(startedAt)} UTC, ${end}${again}. ${link(source.name, `${settings}?source=${source.id}`)}`;
}

function done({ actions, publicUrl }: PostMortemFacts): string[] {
  const rest = actions.length - MAX_ACTIONS;
  if (actions.length === 0) {
    return ['No command that may have changed something is recorded, and none was denied.'];
  }
  return [
    ...actions.slice(0, MAX_ACTIONS).map((action) => {
      const { at, tier, what, evidence } = action;
      return `${utc(at)}: tier ${tier}, ${code(what)}: ${decision(action)} ${link(evidence.label, `${publicUrl}${evidence.path}`)}`;
    }),
    ...(rest > 0 ? [`${rest} more, which the chains show.`] : []),
  ];
}

function decision(action: IncidentAction): string {
  const { isDenied, rule, refusal, exitCode, mayStillRun } = action;
  const by = rule === null ? '' : ` by rule ${code(rule)}`;
  if (isDenied) return `denied${by}.${refusal === null ? '' : ` ${inline(refusal)}`}`;
  const end = mayStillRun
    ? 'it may still run'
    : exitCode === null
      ? 'its exit code is unknown'
      : `exit ${exitCode}`;
  return `allowed${by}, ${end}.`;
}

function cost({ incident, costs, publicUrl, organizationRoot }: PostMortemFacts): string[] {
  const { chains, costUsd } = incident;
  if (chains.length === 0) return ['No chain looked at it, so it cost nothing.'];
  const root = `${publicUrl}${projectRoot(organizationRoot, incident)}`;
  return [
    `Total: ${formatCost(microsOf(costUsd))}`,
    ...chains.map(({ id, number, outcome, highestTier }) => {
      const known = costs.get(id);
      const booked = known?.micros ?? null;
      const amount =
        booked === null
          ? 'unknown, nothing was booked'
          : `${formatCost(booked)}${known?.isEstimated ? ' (estimated)' : ''}`;
      const how = outcome === null ? 'still running' : outcome.replaceAll('_', ' ');
      return `${link(`Chain #${number}`, `${root}/chains/${number}`)}: ${amount}, up to tier ${highestTier}, ${how}`;
    }),
  ];
}

/** The kinds of events in which a person acted. */
const PERSONAL: ReadonlySet<string> = new Set(
  INCIDENT_EVENT_KINDS.filter((kind) => isByPerson({ kind })),
);

function people({ timeline: entries }: IncidentDetail): string[] {
  const own = entries.filter(({ kind }) => kind === 'approval_decided' || PERSONAL.has(kind));
  if (own.length === 0) return ['Nobody acknowledged, approved or resolved anything.'];
  return own.map(({ at, text }) => `${utc(at)}: ${inline(text)}`);
}

function resolution({ incident, publicUrl }: PostMortemFacts): string[] {
  const { state, resolution: how, resolvedAt, resolvedBy, verifyingSince, summary } = incident;
  if (state !== 'resolved' || resolvedAt === null) {
    return [`It isn’t resolved. State: ${state}.`];
  }
  if (how === 'manual') {
    const who = resolvedBy === null ? 'A person' : inline(resolvedBy);
    return [`${who} resolved it at ${utc(resolvedAt)} UTC. No checks proved the recovery.`];
  }
  const proof = incident.timeline.findLast(({ kind }) => kind === 'verified');
  const evidence = proof
    ? ` Proof: ${link(proof.evidence.label, `${publicUrl}${proof.evidence.path}`)}`
    : '';
  const isProven = how === 'fixed' || how === 'recovered';
  const span =
    isProven && verifyingSince
      ? `All checks passed from ${utc(verifyingSince)} to ${utc(resolvedAt)} UTC.`
      : `It was resolved at ${utc(resolvedAt)} UTC.`;
  return [inline(summary), `${span}${evidence}`];
}

/** `2026-11-26 03:02:11` */
function utc(at: string | Date): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
