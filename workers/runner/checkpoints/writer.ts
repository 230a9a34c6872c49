/** Decides when a running session's checkpoints are written, and writes them into its stream. */
import { type CompactionNote, composeDigest, type SessionSnapshot } from '@/lib/checkpoints/digest';
import type { CheckpointTrigger } from '@/lib/checkpoints/schema';
import type { CheckpointEvent, RunnerEvent } from '@/lib/runner-protocol/events';
import type { CheckpointPlan } from '@/lib/runner-protocol/spec';
import { createTracker } from './tracker';

/** What is due within this time becomes one checkpoint, of the state at its end. */
export const BUFFER_MS = 2_500;

export interface CheckpointWriter {
  /** Everything that is told about the process, redacted. */
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
  /** The newest one of this process. */
  readonly latest: CheckpointEvent | null;
}

export function createCheckpointWriter(options: {
  plan: CheckpointPlan;
  about: { project: string; tier: number };
  paths: { projectPath: string; projectPathNormalized: string };
  /** Puts the event into the stream: redacted, on disk, then on its way. Gives it as it was kept. */
  write(event: CheckpointEvent): CheckpointEvent;
}): CheckpointWriter {
  const { plan, paths } = options;
  const tracker = createTracker(options.about);
  const begunAt = performance.now();
  let latest: CheckpointEvent | null = null;
  let buffer: NodeJS.Timeout | null = null;
  let clock: NodeJS.Timeout | null = null;
  let isOver = false;
  startClock();

  function startClock(): void {
    if (clock) clearTimeout(clock);
    clock = isOver ? null : setTimeout(() => write('periodic'), plan.timeIntervalMs);
    clock?.unref();
  }

  function afterNews(): void {
    if (buffer || isOver || tracker.pending < plan.promptInterval) return;
    buffer = setTimeout(() => write('periodic'), BUFFER_MS);
    buffer.unref();
  }

  function write(
    trigger: CheckpointTrigger,
    text: (snapshot: SessionSnapshot) => string = (snapshot) =>
      composeDigest(trigger === 'agent' ? 'periodic' : trigger, snapshot),
    hookSessionId: string | null = null,
  ): CheckpointEvent {
    // Whatever was due is told by this one.
    if (buffer) clearTimeout(buffer);
    buffer = null;
    const snapshot = tracker.snapshot(Math.round(performance.now() - begunAt));
    const { counts, queries, remembered } = snapshot;
    latest = options.write({
      kind: 'checkpoint',
      trigger,
      digest: text(snapshot),
      counts,
      queries: [...queries],
      remembered: [...remembered],
      ...paths,
      hookSessionId,
    });
    tracker.consume();
    startClock();
    return latest;
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
      afterNews();
    },
    agent(digest) {
      const written = write('agent', () => digest);
      tracker.tellAgentDigest(written.digest);
      return written;
    },
    compaction: (note, hookSessionId) =>
      write(
        'pre_compaction',
        (snapshot) => composeDigest('pre_compaction', snapshot, note),
        hookSessionId,
      ),
    explicit: () => write('explicit'),
    end() {
      isOver = true;
      if (tracker.hasNews) write('session_end');
      if (buffer) clearTimeout(buffer);
      if (clock) clearTimeout(clock);
    },
    get latest() {
      return latest;
    },
  };
}
