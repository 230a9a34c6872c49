import type { Command } from 'commander';
import { incidentDetailSchema, incidentDtoSchema } from '@/lib/incidents/view';
import { pageSchema } from '@/lib/platform/http/cursor';
import type { ContextOf } from '../context';
import { CommandError, EXIT } from '../exit-code';
import { endOf, incidentLine, incidentText } from '../incident-text';

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
