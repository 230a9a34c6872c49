import type { Command } from 'commander';
import {
  type IncidentDetail,
  type IncidentDto,
  incidentDetailSchema,
  incidentDtoSchema,
  waitsForHuman,
} from '@/lib/incidents/view';
import { formatCost, microsOf } from '@/lib/platform/format/cost';
import { formatCounted } from '@/lib/platform/format/count';
import { parseSpan } from '@/lib/platform/format/duration';
import { visibleText } from '@/lib/platform/format/visible-text';
import { pageSchema } from '@/lib/platform/http/cursor';
import type { ContextOf } from '../context';
import { CommandError, EXIT } from '../exit-code';

export function addIncidentCommands(program: Command, contextOf: ContextOf): void {
  const incident = program
    .command('incident')
    .description('Incidents: list, show, acknowledge, silence, merge, resolve');
  incident
    .command('list')
    .description('List incidents that aren’t resolved, newest first')
    .option('--all', 'also those that are resolved')
    .option('--project <project>', 'only of this project, by id or slug')
    .option('--service <service>', 'only of this service')
    .option('--limit <count>', 'at most so many', '50')
    .option('--cursor <cursor>', 'continue where an earlier list ended')
    .action(async (options, command) => {
      const { api, print } = contextOf(command);
      const query = new URLSearchParams({
        limit: options.limit,
        ...(options.all ? {} : { state: 'active' }),
        ...(options.project ? { project: options.project } : {}),
        ...(options.service ? { service: options.service } : {}),
        ...(options.cursor ? { cursor: options.cursor } : {}),
      });
      const page = await api.request('GET', `incidents?${query}`, pageSchema(incidentDtoSchema));
      const nothing = options.all ? 'There are no incidents.' : 'There are no open incidents.';
      const more = page.nextCursor === null ? [] : [`More: --cursor ${page.nextCursor}`];
      print([...page.data.map(incidentLine), ...more].join('\n') || nothing, page);
    });
  incident
    .command('show <id>')
    .description('Show an incident with its services, chains and timeline')
    .option('--until <event>', 'number of the last event to show; the newest one if left out')
    .action(async (id, { until }, command) => {
      const { api, print } = contextOf(command);
      const query = until === undefined ? '' : `?${new URLSearchParams({ until })}`;
      const found = await api.request('GET', `${pathOf(id)}${query}`, incidentDetailSchema);
      print(incidentText(found), found);
    });
  incident
    .command('acknowledge <id>')
    .description('Say that you are working on it: nobody else is notified that it needs a human')
    .option('--for <time>', 'how long, such as 90m or 2h; until it is resolved if left out')
    .option('--note <text>', 'for others', '')
    .action((id, { note, for: span }, command) =>
      act(command, id, 'POST', 'acknowledge', {
        note,
        endsAt: endOf('acknowledgement', span, new Date()),
      }),
    );
  incident
    .command('silence <id>')
    .description('Stop the messages that people get about it; agents continue')
    .option('--for <time>', 'how long, such as 1h, 4h or 1d; until it is resolved if left out')
    .option('--end', 'end the silence instead')
    .option('--note <text>', 'for others', '')
    .action((id, { end, note, for: span }, command) =>
      end
        ? act(command, id, 'DELETE', 'silence')
        : act(command, id, 'POST', 'silence', { note, endsAt: endOf('silence', span, new Date()) }),
    );
  incident
    .command('merge <id>')
    .description('Merge it into another incident of its project: it is the same outage')
    .requiredOption('--into <id>', 'the incident that continues')
    .option('--note <text>', 'for others', '')
    .action((id, { into, note }, command) => act(command, id, 'POST', 'merge', { into, note }));
  incident
    .command('resolve <id>')
    .description('Say that it is over, whatever its checks find')
    .option('--note <text>', 'for others', '')
    .action((id, { note }, command) => act(command, id, 'POST', 'resolve', { note }));

  /** Does something with an incident, and prints how it is then. */
  async function act(
    command: Command,
    id: string,
    method: 'POST' | 'DELETE',
    what: string,
    body?: object,
  ): Promise<void> {
    const { api, print } = contextOf(command);
    const after = await api.request(method, `${pathOf(id)}/${what}`, incidentDetailSchema, body);
    print(incidentText(after), after);
  }
}

/** @throws CommandError for a number, which is unique in its project only */
function pathOf(id: string): string {
  if (!id.startsWith('inc_')) {
    throw new CommandError(
      `${id} is not the id of an incident. Ids start with inc_; tierwatch incident list --all shows them.`,
      EXIT.usage,
    );
  }
  return `incidents/${encodeURIComponent(id)}`;
}

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
