import type { Command } from 'commander';
import { checkpointRequestSchema } from '@/lib/engine/checkpoints/manage-checkpoints';
import { type CheckpointDto, checkpointDtoSchema } from '@/lib/insight/checkpoints';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { formatCounted } from '@/lib/platform/format/count';
import { visibleText } from '@/lib/platform/format/visible-text';
import { pageSchema } from '@/lib/platform/http/cursor';
import type { ContextOf } from '../context';
import { eventLine } from '../event-line';
import { followSession, readEvents } from '../follow-chain';

export function addSessionCommands(program: Command, contextOf: ContextOf): void {
  const session = program.command('session').description('Sessions');
  session
    .command('log <id>')
    .description('Print the events of a session; with --json, one object per line')
    .option('-f, --follow', 'follow until the session ends')
    .action(async (id, options, command) => {
      const { api, isJson, terminal } = contextOf(command);
      const read = options.follow ? followSession : readEvents;
      await read(api, encodeURIComponent(id), (event: SessionEventDto) => {
        const line = isJson ? JSON.stringify(event) : eventLine(event);
        if (line !== null) terminal.stdout.write(`${line}\n`);
      });
    });
  session
    .command('checkpoint <id>')
    .description('Ask a running session for a checkpoint; its runner writes it within seconds')
    .action(async (id, _options, command) => {
      const { api, print } = contextOf(command);
      const path = `sessions/${encodeURIComponent(id)}/checkpoint`;
      const asked = await api.request('POST', path, checkpointRequestSchema, {});
      print(`Requested a checkpoint of ${asked.sessionId} at ${asked.requestedAt}.`, asked);
    });
  session
    .command('checkpoints <id>')
    .description('Print the checkpoints of a session, newest first')
    .action(async (id, _options, command) => {
      const { api, print } = contextOf(command);
      const path = `checkpoints/${encodeURIComponent(id)}`;
      const { data } = await api.request('GET', path, pageSchema(checkpointDtoSchema));
      const text = data.map(checkpointText).join('\n\n');
      print(text || 'This session has no checkpoints.', data);
    });
}

/** Returns a checkpoint as text: a line with time and trigger, then the indented digest. */
function checkpointText(checkpoint: CheckpointDto): string {
  const { label, at, trigger, counts, isLate } = checkpoint;
  const facts = [
    trigger.replaceAll('_', ' '),
    formatCounted(counts.prompts, 'prompt'),
    formatCounted(counts.toolResults, 'result'),
    ...(isLate ? ['came late'] : []),
  ];
  const digest = checkpoint.digest.split('\n').map((line) => (line ? `  ${line}` : ''));
  return visibleText([`${label} ${at} ${facts.join(', ')}`, ...digest].join('\n'));
}
