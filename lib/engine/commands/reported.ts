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

/** Returns what events say about commands, each once: its request is its first event, its state the last. */
export function reportedCommands(events: readonly NumberedEvent[]): ReportedCommand[] {
  const commands = new Map<number, ReportedCommand>();
  for (const { seq, at, event } of events) {
    if (event.kind !== 'brokered') continue;
    const { number, argv, rule, changes } = event;
    const first = commands.get(number) ?? { attemptSeq: seq, requestedAt: at };
    const { attemptSeq, requestedAt } = first;
    const request = { number, attemptSeq, requestedAt, argv, rule, mayChange: changes };
    commands.set(number, { ...request, ...stateOf(event, at) });
  }
  return [...commands.values()];
}

function stateOf({ phase, refusal, end }: BrokeredEvent, at: string): Outcome {
  const isOver = phase === 'refused' || phase === 'ended';
  return {
    state: phase === 'ended' ? endStateOf(end) : phase,
    refusalCode: phase === 'refused' ? (refusal?.code ?? 'unknown') : null,
    refusalMessage: phase === 'refused' ? (refusal?.message ?? '') : null,
    exitCode: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    error: end?.error ?? null,
    durationMs: end?.durationMs ?? null,
    outputBytes: end?.outputBytes ?? null,
    endedAt: isOver ? at : null,
  };
}

function endStateOf(end: BrokeredEvent['end']): CommandState {
  if (end?.error) return 'not_started';
  return end?.exitCode === 0 ? 'succeeded' : 'failed';
}
