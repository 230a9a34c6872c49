/** Loads everything, waits for a task, and does it with a real SIGKILL hanging over it. */
import { startDueChains } from '@/lib/chains/service/start-due-chains';
import { settleAttempt } from '@/lib/settlement/service';
import { scopeOfSystem } from '@/lib/tenancy/make-scope';
import { countWrites, killAfterWrite } from './kill-after-write';
import type { CrashAnswer, CrashTask } from './task';

async function run(task: CrashTask): Promise<void> {
  killAfterWrite(task.killAfter);
  const now = new Date(task.now);
  if (task.kind === 'start_due') await startDueChains(now);
  else await settleAttempt(scopeOfSystem(task.organizationId), task.attemptId, now);
}

function answer(error: unknown): void {
  const text = error === null ? null : String(error);
  const message: CrashAnswer = { writes: countWrites(), error: text };
  process.send?.(message, undefined, {}, () => process.exit(0));
}

process.once('message', (task) => {
  run(task as CrashTask).then(() => answer(null), answer);
});
process.once('disconnect', () => process.exit(0));
