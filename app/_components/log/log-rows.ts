import type { Level, RunnerEvent } from '@/lib/protocol/events';

/** How the control plane wrote down a decision, as far as the log shows it. */
interface DecisionLogEvent {
  kind: 'decision';
  /** "resume", "handoff", "finish", "escalate". */
  mode: string;
  reasonCode: string;
  /** The decision as a sentence. */
  text: string;
}

type LogEventBody = RunnerEvent | DecisionLogEvent;

/** An event as the session stores it: numbered without gaps within the session. */
export type StoredEvent = LogEventBody & {
  seq: number;
  /** ISO 8601. */
  at: string;
  /** `evt_…`, where the page has it: what a copied link points to. */
  id?: string;
};

export type EventOf<Kind extends StoredEvent['kind']> = Extract<StoredEvent, { kind: Kind }>;

export interface TextItem {
  type: 'text';
  seq: number;
  at: string;
  text: string;
  /** Its process ended before it was whole. */
  isUnfinished?: true;
}

export interface CallItem {
  type: 'call';
  seq: number;
  at: string;
  toolUseId: string;
  tool: string;
  input: Record<string, unknown>;
  /** Null while it runs. */
  result: EventOf<'tool_result'> | null;
  /** What a sub-agent that this call started said and called. */
  items: readonly LogItem[];
}

export type LogItem = TextItem | CallItem;

/** One model request: its text, then its calls with their results. */
export interface RequestRow {
  type: 'request';
  seq: number;
  at: string;
  /** From 1, in the order of appearance. */
  number: number;
  messageId: string | null;
  /** When the event before it came: the request was sent then. Null at the start of a window. */
  sentAt: string | null;
  /** When its last own text or call came. */
  answeredAt: string;
  items: readonly LogItem[];
  usage: EventOf<'request_usage'> | null;
}

export interface NoticeRow {
  type: 'notice';
  seq: number;
  at: string;
  level: Level;
  code: string;
  message: string;
  service: string | null;
}

/** A result whose call is not among the loaded events. */
interface LateResultRow {
  type: 'late_result';
  seq: number;
  at: string;
  result: EventOf<'tool_result'>;
}

export interface StderrRow {
  type: 'stderr';
  seq: number;
  at: string;
  text: string;
}

/** Everything that is said in one line. */
export interface MetaRow {
  type: 'meta';
  seq: number;
  at: string;
  event: MetaEvent;
}

export type MetaEvent = Exclude<
  StoredEvent,
  {
    kind:
      | 'text'
      | 'answer_part'
      | 'tool_call'
      | 'tool_result'
      | 'request_usage'
      | 'notice'
      | 'stderr';
  }
>;

/** Events that were never received; numbers are of the first and last one. */
export interface MissingRow {
  type: 'missing';
  seq: number;
  at: string;
  lastSeq: number;
}

export type LogRow = RequestRow | NoticeRow | LateResultRow | StderrRow | MetaRow | MissingRow;
