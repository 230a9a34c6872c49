/** Decides when a running session's checkpoints are written, and writes them into its stream. */

import {
  type CompactionNote,
  composeDigest,
  type SessionSnapshot,
} from '@/lib/engine/checkpoints/digest';
import { type CheckpointTrigger, MAX_REMEMBERED } from '@/lib/protocol/checkpoint';
import type { CheckpointEvent, RunnerEvent } from '@/lib/protocol/events';
import type { CheckpointPlan } from '@/lib/protocol/spec';
import { createTracker } from './tracker';

/** What is due within this time becomes one checkpoint, of the state at its end. */
export const BUFFER_MS = 2_500;
/** Of the process itself, for the agent to read again. */
const MAX_KEPT = 20;

interface KeptCheckpoint {
  event: CheckpointEvent;
  at: Date;
}

export interface CheckpointWriter {
  /** Receives every event of the process, redacted. */
  observe(event: RunnerEvent): void;
  prompt(): void;
  remember(text: string): void;
  /** In the agent's own words, unchanged but for secrets. */
  agent(digest: string): CheckpointEvent;
  /** Right before the CLI drops what it knew. */
  compaction(note: CompactionNote, hookSessionId: string | null): CheckpointEvent;
  /** A person asks for one. */
  explicit(): CheckpointEvent;
  /** What is still due, and the last one of all; nothing where nothing was ever seen. */
  end(): void;
  /** Nothing more is written. */
  close(): void;
  /** The newest ones of this process, newest first. */
  readonly kept: readonly KeptCheckpoint[];
}

export function createCheckpointWriter(options: {
  plan: CheckpointPlan;
  about: { project: string; tier: number };
  paths(): { projectPath: string; projectPathNormalized: string };
  /** Puts the event into the stream: redacted, on disk, then on its way. Gives it as it was kept. */
  write(event: CheckpointEvent): CheckpointEvent;
}): CheckpointWriter {
  const { plan } = options;
  const tracker = createTracker(options.about);
  const begunAt = performance.now();
  const kept: KeptCheckpoint[] = [];
  let buffer: NodeJS.Timeout | null = null;
  let clock: NodeJS.Timeout | null = null;
  let isOver = false;
  startClock();

  function startClock(): void {
    if (clock) clearTimeout(clock);
    clock = isOver ? null : setTimeout(() => passive('periodic'), plan.timeIntervalMs);
    clock?.unref();
  }

  function close(): void {
    isOver = true;
    if (buffer) clearTimeout(buffer);
    if (clock) clearTimeout(clock);
  }

  function afterNews(): void {
    if (tracker.pending >= plan.promptInterval) soon();
  }

  function soon(): void {
    if (buffer || isOver) return;
    buffer = setTimeout(() => passive('periodic'), BUFFER_MS);
    buffer.unref();
  }

  function write(
    trigger: CheckpointTrigger,
    text: (snapshot: SessionSnapshot) => string,
    hookSessionId: string | null = null,
  ): CheckpointEvent {
    // This checkpoint covers whatever was due.
    if (buffer) clearTimeout(buffer);
    buffer = null;
    const snapshot = tracker.snapshot(Math.round(performance.now() - begunAt));
    // Before it is written, since what is written is observed: it must not count as due again.
    tracker.consume();
    const { counts, queries } = snapshot;
    // The agent's own digest doesn't contain the facts it saved.
    const remembered =
      trigger === 'agent'
        ? [...snapshot.rememberedBefore, ...snapshot.remembered].slice(-MAX_REMEMBERED)
        : [...snapshot.remembered];
    const event = options.write({
      kind: 'checkpoint',
      trigger,
      digest: text(snapshot),
      counts,
      queries: [...queries],
      remembered,
      ...options.paths(),
      hookSessionId,
    });
    kept.unshift({ event, at: new Date() });
    kept.splice(MAX_KEPT);
    startClock();
    return event;
  }

  function passive(trigger: 'periodic' | 'explicit' | 'session_end'): CheckpointEvent {
    return write(trigger, (snapshot) => composeDigest(trigger, snapshot));
  }

  return {
    observe(event) {
      tracker.observe(event);
      afterNews();
    },
    prompt() {
      tracker.prompt();
      afterNews();
    },
    remember(text) {
      tracker.remember(text);
      // A requested checkpoint doesn't wait for the next interval.
      soon();
    },
    agent(digest) {
      const written = write('agent', () => digest);
      tracker.setAgentDigest(written.digest);
      return written;
    },
    compaction: (note, hookSessionId) =>
      write(
        'pre_compaction',
        (snapshot) => composeDigest('pre_compaction', snapshot, note),
        hookSessionId,
      ),
    explicit: () => passive('explicit'),
    end() {
      isOver = true;
      if (tracker.hasNews) passive('session_end');
      close();
    },
    close,
    kept,
  };
}
