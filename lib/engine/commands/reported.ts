import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { CommandState } from '../statuses';

/** One event of an attempt, with its number among the attempt's events. */
export interface NumberedEvent {
  seq: number;
  /** ISO 8601. */
  at: string;
  event: RunnerEvent;
}

/** How far a command is, as one event says. */
type Outcome = Pick<
  ReportedCommand,
  | 'state'
  | 'refusalCode'
  | 'refusalMessage'
  | 'exitCode'
  | 'signal'
  | 'error'
  | 'durationMs'
  | 'outputBytes'
  | 'endedAt'
>;

/** What a batch of events says about one command. */
export interface ReportedCommand {
  /** Of the attempt's commands, from 1. */
  number: number;
  /** The first event about it, with its time. */
  attemptSeq: number;
  requestedAt: string;
  argv: readonly string[];
  rule: string | null;
  mayChange: boolean;
  state: CommandState;
  refusalCode: string | null;
  refusalMessage: string | null;
  exitCode: number | null;
  signal: string | null;
  error: string | null;
  durationMs: number | null;
  outputBytes: number | null;
  /** Null while its end isn't known. */
  endedAt: string | null;
}

/** Characters of a text that a row keeps. */
const MAX_TEXT = 16_000;

/** Returns what events say about commands, each once: its first event is the request, and an end is final. */
export function reportedCommands(events: readonly NumberedEvent[]): ReportedCommand[] {
  const commands = new Map<number, ReportedCommand>();
  for (const { seq, at, event } of events) {
    if (event.kind !== 'brokered') continue;
    const earlier = commands.get(event.number);
    if (earlier && earlier.state !== 'started') continue;
    const request = earlier ?? requestOf(event, seq, at);
    commands.set(event.number, { ...request, ...outcomeOf(event, at) });
  }
  return [...commands.values()];
}

function requestOf({ number, argv, rule, changes }: BrokeredEvent, seq: number, at: string) {
  const request = { number, attemptSeq: seq, requestedAt: at, mayChange: changes };
  return { ...request, argv: shortened(argv), rule: rule?.slice(0, MAX_TEXT) ?? null };
}

/** An argv of millions of characters is in the session's log alone. */
function shortened(argv: readonly string[]): string[] {
  let left = MAX_TEXT;
  const kept: string[] = [];
  for (const argument of argv) {
    if (left <= 0) return [...kept, '…'];
    kept.push(argument.length > left ? `${argument.slice(0, left)}…` : argument);
    left -= argument.length + 1;
  }
  return kept;
}

function outcomeOf({ phase, refusal, end }: BrokeredEvent, at: string): Outcome {
  const isOver = phase === 'refused' || phase === 'ended';
  return {
    state: phase === 'ended' ? endStateOf(end) : phase,
    refusalCode: phase === 'refused' ? (refusal?.code ?? 'unknown') : null,
    refusalMessage: phase === 'refused' ? (refusal?.message ?? '').slice(0, MAX_TEXT) : null,
    exitCode: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    error: end?.error?.slice(0, MAX_TEXT) ?? null,
    durationMs: end?.durationMs ?? null,
    outputBytes: end?.outputBytes ?? null,
    endedAt: isOver ? at : null,
  };
}

function endStateOf(end: BrokeredEvent['end']): CommandState {
  if (end?.error) return 'not_started';
  return end?.exitCode === 0 ? 'succeeded' : 'failed';
}
