import type { AttemptRow } from '@/lib/engine/attempt/data';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { RunnerEvent } from '@/lib/protocol/events';
import { getTurnOfSession } from '../data';
import { closeQuestion, storeQuestion } from './data';

/** Stores the questions among new events of an attempt, and their outcome. */
export async function keepQuestions(
  db: TenantDb,
  attempt: AttemptRow,
  events: readonly { at: string; event: RunnerEvent }[],
): Promise<void> {
  for (const { at, event } of events) {
    if (event.kind === 'question') {
      const turn = await getTurnOfSession(db, attempt.sessionId);
      const asking = { ...attempt, attemptId: attempt.id };
      if (turn) await storeQuestion(db, asking, turn.id, event, new Date(at));
    }
    if (event.kind === 'question_closed') {
      await closeQuestion(db, attempt.id, event, new Date(at));
    }
  }
}
