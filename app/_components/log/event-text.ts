import { questionWords } from '@/lib/insight/sessions/question-words';
import { formatCounted, formatTokens } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import { UNANSWERED } from '@/lib/protocol/event-codes';
import type { EventOf, RowEvent } from './events';

export interface EventText {
  text: string;
  tone: 'plain' | 'wait' | 'bad';
}

const MAX_COMMAND = 100;

const plain = (text: string): EventText => ({ text, tone: 'plain' });
const wait = (text: string): EventText => ({ text, tone: 'wait' });
const bad = (text: string): EventText => ({ text, tone: 'bad' });

/** Returns one line for each event that isn't a request of the agent; outputs are complete. */
export function eventText(event: RowEvent): EventText {
  switch (event.kind) {
    case 'init':
      return plain(initText(event));
    case 'command':
      return plain(commandText(event));
    case 'metered':
      return meteredText(event);
    case 'brokered':
      return brokeredText(event);
    case 'process':
      return processText(event);
    case 'api_retry':
      return wait(
        `Retry ${event.attempt} of ${event.maxRetries} in ${formatDuration(event.delayMs)}${because(event.error, event.status)}`,
      );
    case 'model_fallback':
      return wait(`Model changed from ${event.from} to ${event.to}${because(event.trigger)}`);
    case 'compaction':
      return compactionText(event);
    case 'rate_limit':
      return event.status === 'allowed'
        ? plain('Rate limit: allowed')
        : wait(`Rate limit: ${event.status.replaceAll('_', ' ')}`);
    case 'result':
      return event.isError
        ? bad(
            `Result: ${event.subtype.replaceAll('_', ' ')}${because(event.errors[0] ?? null, event.apiErrorStatus)}`,
          )
        : plain(
            `Result: ${event.subtype}${event.numTurns === null ? '' : `, ${formatCounted(event.numTurns, 'turn')}`}`,
          );
    case 'check_result':
      return checkText(event);
    case 'question':
      return wait(questionWords(event));
    case 'question_closed':
      return plain(questionWords(event));
    case 'checkpoint':
      return plain(`Checkpoint: ${event.trigger.replaceAll('_', ' ')}`);
    case 'unparsed':
      return plain(`Not understood (${event.reason.replaceAll('_', ' ')}): ${event.text}`);
    case 'system':
      return plain(event.subtype.replaceAll('_', ' '));
    case 'notice':
      return plain(`${event.code} ${event.message}`);
    case 'stderr':
      return plain(event.text);
    case 'tool_result':
      return plain(event.stdout ?? event.content);
    default:
      // A kind that this version of the page doesn't know yet.
      return plain((event as { kind: string }).kind.replaceAll('_', ' '));
  }
}

function because(words: string | null, status: number | null = null): string {
  const parts = [words, status === null ? null : String(status)].filter((part) => part);
  return parts.length > 0 ? ` (${parts.join(' ')})` : '';
}

function initText(event: EventOf<'init'>): string {
  const facts = [
    event.cliVersion ? `version ${event.cliVersion}` : null,
    event.model,
    formatCounted(event.tools.length, 'tool'),
  ];
  return `Started: ${facts.filter((fact) => fact !== null).join(', ')}`;
}

/** The whole of it stands on the session's Command page. */
function commandText({ argv }: EventOf<'command'>): string {
  return `Command: ${shortened(argv.join(' '))}`;
}

function shortened(text: string): string {
  return text.length > MAX_COMMAND ? `${text.slice(0, MAX_COMMAND)}…` : text;
}

/** A request to the model, as the runner's gateway has counted it. */
function meteredText(event: EventOf<'metered'>): EventText {
  const input = event.inputTokens + event.cacheReadTokens + event.cacheWriteTokens;
  const text = `Model request: ${formatTokens(input)} in, ${formatTokens(event.outputTokens)} out`;
  if (event.isComplete) return plain(text);
  const isAnswered = event.messageId !== UNANSWERED;
  return wait(isAnswered ? `${text}, cut off` : `${text}, estimated: it ended without an answer`);
}

/** One that a confined agent had run outside its sandbox, or wanted to. */
function brokeredText({
  phase,
  argv,
  refusal,
  end,
  rule,
  changes,
}: EventOf<'brokered'>): EventText {
  const command = shortened(argv.join(' '));
  if (refusal) return bad(`Not run: ${command}. ${refusal.message}`);
  if (phase === 'started') {
    const kind = changes ? 'Command that may change something' : 'Command';
    return plain(`${kind} started outside the sandbox: ${command}, allowed by ${rule}`);
  }
  if (phase === 'left_running') {
    const program = end === null ? '' : `Its program has ended${exitWords(end)}. `;
    return bad(
      `Command could not be ended and may still run: ${command}. ${program}End it on the runner’s host.`,
    );
  }
  const took = end ? ` after ${formatDuration(end.durationMs)}` : '';
  if (end?.signal) return wait(`Command ended by ${end.signal}${took}: ${command}`);
  if (end === null || end.exitCode === null) {
    return bad(`Command could not be started: ${command}. ${end?.error ?? ''}`.trim());
  }
  const text = `Command ended, exit ${end.exitCode}${took}: ${command}`;
  return end.exitCode === 0 ? plain(text) : bad(text);
}

function exitWords({ exitCode }: NonNullable<EventOf<'brokered'>['end']>): string {
  return exitCode === null ? '' : `, exit ${exitCode}`;
}

function processText(event: EventOf<'process'>): EventText {
  if (event.phase === 'started') {
    return plain(event.pid === null ? 'Process started' : `Process ${event.pid} started`);
  }
  if (event.signal) return wait(`Process ended by ${event.signal}`);
  const text = event.code === null ? 'Process ended' : `Process ended, exit ${event.code}`;
  return event.code === 0 || event.code === null ? plain(text) : bad(text);
}

function compactionText(event: EventOf<'compaction'>): EventText {
  if (event.phase === 'started') return plain('Compacting the conversation');
  if (event.phase === 'failed') return bad(`Compaction failed${because(event.error)}`);
  if (event.preTokens === null || event.postTokens === null) return plain('Compacted');
  return plain(`Compacted ${formatTokens(event.preTokens)} → ${formatTokens(event.postTokens)}`);
}

function checkText(event: EventOf<'check_result'>): EventText {
  const took = event.responseTimeMs === null ? '' : `, ${formatDuration(event.responseTimeMs)}`;
  const why = event.error === '' ? '' : `: ${event.error}`;
  const state = event.status === 'unknown' ? 'couldn’t run' : event.status;
  const text = `Check ${event.type} of ${event.service}: ${state}${took}${why}`;
  return {
    text,
    tone: ({ healthy: 'plain', degraded: 'wait', unknown: 'wait', down: 'bad' } as const)[
      event.status
    ],
  };
}
