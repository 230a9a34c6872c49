/** What the fake control plane holds of one attempt, under the rules of the real one. */
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptResult, EventsRequest } from '@/lib/protocol/schema';
import type { AttemptSpec } from '@/lib/protocol/spec';

type SentEvent = EventsRequest['batches'][number]['events'][number];

export interface StoredAttempt {
  readonly spec: AttemptSpec;
  isClaimed: boolean;
  /** In the order of their numbers, as far as there is no gap. */
  events(): RunnerEvent[];
  /** Highest number stored without a gap. */
  readonly ackedSeq: number;
  /** How often an event that was stored already came again. */
  readonly repeats: number;
  /** Numbers that came again with other content: never right. */
  readonly conflicts: number[];
  store(events: SentEvent[]): void;
  readonly results: AttemptResult[];
  /** Loses what it had after number `seq`, as a restore from a backup does. */
  restoreTo(seq: number): void;
}

export function storedAttempt(spec: AttemptSpec): StoredAttempt {
  const bySeq = new Map<number, SentEvent>();
  const conflicts: number[] = [];
  let acked = 0;
  let repeats = 0;
  return {
    spec,
    isClaimed: false,
    conflicts,
    results: [],
    get ackedSeq() {
      return acked;
    },
    get repeats() {
      return repeats;
    },
    events() {
      return Array.from({ length: acked }, (_, index) => bySeq.get(index + 1)).flatMap((sent) =>
        sent ? [sent.event] : [],
      );
    },
    restoreTo(seq) {
      for (const each of bySeq.keys()) if (each > seq) bySeq.delete(each);
      acked = Math.min(acked, seq);
    },
    store(events) {
      for (const sent of events) {
        const before = bySeq.get(sent.seq);
        if (before) {
          repeats += 1;
          if (JSON.stringify(before) !== JSON.stringify(sent)) conflicts.push(sent.seq);
        } else bySeq.set(sent.seq, sent);
      }
      while (bySeq.has(acked + 1)) acked += 1;
    },
  };
}
