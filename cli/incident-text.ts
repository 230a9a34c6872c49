/** An incident as the command line prints it. */
import { type IncidentDetail, type IncidentDto, waitsForHuman } from '@/lib/incidents/view';
import { formatCost, microsOf } from '@/lib/platform/format/cost';
import { formatCounted } from '@/lib/platform/format/count';
import { parseSpan } from '@/lib/platform/format/duration';
import { visibleText } from '@/lib/platform/format/visible-text';
import { CommandError, EXIT } from './exit-code';

/** Returns one line of a list: id, state, project and number, what fails, who is needed. */
export function incidentLine(incident: IncidentDto): string {
  const { id, state, project, number, title } = incident;
  const line = `${id}  ${state.padEnd(STATE_WIDTH)}  ${project.slug} #${number}  ${flat(title)}`;
  const marks = [
    waitsForHuman(incident) ? 'needs a human' : null,
    incident.silencedBy === null ? null : 'silenced',
    incident.mergedInto && `merged into #${incident.mergedInto.number}`,
  ].filter((mark) => mark !== null);
  return visibleText([line, ...marks].join('  '));
}

const STATE_WIDTH = 'acknowledged'.length;

/**
 * Returns what is known of an incident: its state, services and chains, and what happened. What
 * a check found can't look like another line.
 */
export function incidentText(incident: IncidentDetail): string {
  const { project, number, title, state, services, chains, timeline } = incident;
  const facts: [string, string | null][] = [
    ['Id', incident.id],
    ['State', waitsForHuman(incident) ? `${state}, needs a human` : state],
    ['Severity', incident.severity],
    ['Since', incident.startedAt],
    ['Acknowledged', acknowledgementOf(incident)],
    ['Silenced', silenceOf(incident)],
    ['Resolved', resolutionOf(incident)],
    ['Merged into', referenceOf(incident.mergedInto)],
    ...incident.mergedFrom.map((other): [string, string | null] => [
      'Includes',
      referenceOf(other),
    ]),
    ['Reopened', incident.reopenings === 0 ? null : formatCounted(incident.reopenings, 'time')],
    ...services.map((service): [string, string] => [
      'Service',
      [`${service.name} is ${service.status}`, ...(service.error ? [service.error] : [])].join(
        ': ',
      ),
    ]),
    ...chains.map((chain): [string, string] => [
      'Chain',
      `#${chain.number} (${chain.id}), ${chain.outcome ?? 'running'}`,
    ]),
    ['Cost', formatCost(microsOf(incident.costUsd))],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : [`  ${`${name}:`.padEnd(NAME_WIDTH)}${flat(value)}`],
  );
  const { earlierEvents, earlierUntil } = incident;
  const events = [
    ...(earlierUntil === null
      ? []
      : [`  ${formatCounted(earlierEvents, 'earlier event')}: --until ${earlierUntil}`]),
    ...timeline.map(({ at, text }) => `  ${at}  ${flat(text)}`),
  ];
  const head = `Incident #${number} of ${flat(project.name)}: ${flat(title)}`;
  return visibleText([head, flat(incident.summary), ...lines, ...events].join('\n'));
}

const NAME_WIDTH = 15;

function acknowledgementOf(incident: IncidentDto): string | null {
  const { acknowledgedBy, acknowledgedAt, acknowledgementEndsAt } = incident;
  if (acknowledgedBy === null) return null;
  const until = acknowledgementEndsAt === null ? '' : `, until ${acknowledgementEndsAt}`;
  return `by ${acknowledgedBy}${acknowledgedAt === null ? '' : ` at ${acknowledgedAt}`}${until}`;
}

function silenceOf({ silencedBy, silencedUntil }: IncidentDto): string | null {
  if (silencedBy === null) return null;
  return `by ${silencedBy}, until ${silencedUntil ?? 'it is resolved'}`;
}

function referenceOf(other: IncidentDto['mergedInto']): string | null {
  return other && `#${other.number} (${other.id})`;
}

function resolutionOf({ resolvedAt, resolution, resolvedBy }: IncidentDto): string | null {
  if (resolvedAt === null) return null;
  return `at ${resolvedAt}, ${resolution ?? 'unknown'}${resolvedBy === null ? '' : ` by ${resolvedBy}`}`;
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Returns when an acknowledgement or a silence of this length ends, as ISO 8601; null for none.
 *
 * @param length `90m`, `2h`; undefined: until the incident is resolved
 * @throws CommandError for anything else
 */
export function endOf(
  what: 'acknowledgement' | 'silence',
  length: string | undefined,
  now: Date,
): string | null {
  if (length === undefined) return null;
  const seconds = parseSpan(length);
  if (seconds !== null && seconds > 0) {
    return new Date(now.getTime() + seconds * 1_000).toISOString();
  }
  throw new CommandError(
    `--for ${length} is not valid. Use a time, such as 90m or 2h, or leave it out: then the ${what} ends when the incident is resolved.`,
    EXIT.usage,
  );
}
