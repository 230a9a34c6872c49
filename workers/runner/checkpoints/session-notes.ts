/** Checkpoints of one attempt: the writer, and the answers to the agent's tools and hooks. */

import type { RecalledCheckpoint } from '@/lib/protocol/checkpoint';
import type { CheckpointEvent, RunnerEvent } from '@/lib/protocol/events';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { realPath } from '../process/find-program';
import { type AnswerNotes, answerAgent } from './answer-agent';
import { createCheckpointWriter } from './writer';

interface SessionNotes {
  /** The process has its prompt. */
  begun(): void;
  observe(event: RunnerEvent): void;
  /** Answers the tools for notes, and hooks. */
  answer: AnswerNotes;
  /** A person asks for a checkpoint; asked for again, nothing more happens. */
  checkpoint(requestedAt: string): void;
  /** All processes of the attempt have ended. Writes what is left of a process that ran. */
  end(hasRun: boolean): void;
}

const NONE: SessionNotes = {
  begun() {},
  observe() {},
  answer: async () => ({ ok: false, error: 'This attempt keeps no notes.' }),
  checkpoint() {},
  end() {},
};

/** Nothing where the start keeps no checkpoints. */
export function keepNotes(options: {
  spec: AttemptSpec;
  workDir: string;
  /** Adds an event to the stream and returns it as stored. */
  write(event: CheckpointEvent): CheckpointEvent;
  log(event: RunnerEvent): void;
  redact(text: string): string;
  recall(limit: number): Promise<RecalledCheckpoint[]>;
}): SessionNotes {
  const { spec, workDir } = options;
  const plan = spec.start.checkpoints;
  if (plan === null) return NONE;
  const writer = createCheckpointWriter({
    plan,
    about: { project: plan.project, tier: spec.start.tier },
    // Looked at when one is written: before its first attempt a project has no folder.
    paths: () => ({ projectPath: workDir, projectPathNormalized: realPath(workDir) }),
    write: options.write,
  });
  const answer = answerAgent({
    writer,
    label: spec.label,
    recoveryBudgetChars: plan.recoveryBudgetChars,
    log: options.log,
    redact: options.redact,
    recall: options.recall,
  });
  const asked = new Set<string>();
  let isOver = false;
  return {
    begun: writer.prompt,
    observe: writer.observe,
    answer,
    checkpoint(requestedAt) {
      if (isOver || asked.has(requestedAt)) return;
      asked.add(requestedAt);
      writer.explicit();
    },
    end(hasRun) {
      isOver = true;
      if (hasRun) writer.end();
      else writer.close();
    },
  };
}
