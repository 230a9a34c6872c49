/** Does a task up to the writes at which it is to be cut off, and then dies by SIGKILL. */

import '../subscriptions';
import { POST as postAlert } from '@/app/api/signals/[sourceId]/route';
import { startDueChains } from '@/lib/engine/chains/start-chain';
import { settleAttempt } from '@/lib/engine/settle';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { run } from '@/lib/operations/chains';
import { requireId } from '@/lib/platform/ids';
import { processSource } from '@/lib/signals/process-requests';
import { freezeAfterWrites } from './freeze-after-write';
import type { ChainRequest, CrashAnswer, CrashTask, SignalRequest } from './task';

interface Work {
  owner: string;
  freezeAfter: number;
  run(): Promise<unknown>;
}

function workOf(task: CrashTask): Work[] {
  const now = new Date(task.now);
  if (task.kind === 'start_due') {
    return [{ owner: 'system', freezeAfter: task.freezeAfter, run: () => startDueChains(now) }];
  }
  if (task.kind === 'post_chain') {
    return task.requests.map((request) => ({
      owner: request.organizationId,
      freezeAfter: request.freezeAfter,
      run: () => post(request),
    }));
  }
  if (task.kind === 'post_alert') {
    return task.requests.map((request) => ({
      owner: request.organizationId,
      freezeAfter: request.freezeAfter,
      run: () => sendSignal(request),
    }));
  }
  return task.attempts.map(({ organizationId, attemptId, freezeAfter }) => ({
    owner: organizationId,
    freezeAfter,
    run: () => settleAttempt(scopeOfSystem(organizationId), attemptId, now),
  }));
}

async function post({ token, project, key }: ChainRequest): Promise<void> {
  const path = `/api/v1/projects/${project}/chains`;
  const request = new Request(`http://tierwatch.test${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: '{}',
  });
  const response = await run.handler(request, { params: Promise.resolve({ projectId: project }) });
  if (!response.ok) throw new Error(await response.text());
}

async function sendSignal({ organizationId, sourceId, token, body }: SignalRequest): Promise<void> {
  const request = new Request(`http://tierwatch.test/api/signals/${sourceId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  const response = await postAlert(request, { params: Promise.resolve({ sourceId }) });
  if (!response.ok) throw new Error(await response.text());
  await processSource(scopeOfSystem(organizationId), requireId('als', sourceId));
}

/** Resolves when each piece of work has been cut off or has come to its end. */
async function cutOff(task: CrashTask): Promise<CrashAnswer> {
  const works = workOf(task);
  const answer: CrashAnswer = { frozen: [], errors: [] };
  const resolvers = new Map<string, () => void>();
  const stood = works.map(
    ({ owner }) => new Promise<void>((resolve) => resolvers.set(owner, resolve)),
  );
  freezeAfterWrites(new Map(works.map((work) => [work.owner, work.freezeAfter])), (owner) => {
    answer.frozen.push(owner);
    resolvers.get(owner)?.();
  });
  for (const { owner, run } of works) {
    run()
      .catch((error: unknown) => answer.errors.push(String(error)))
      .finally(() => resolvers.get(owner)?.());
  }
  await Promise.all(stood);
  return answer;
}

process.once('message', async (task) => {
  const answer = await cutOff(task as CrashTask);
  // Nothing runs after this: no rollback, no goodbye to the server.
  process.send?.(answer, undefined, {}, () => process.kill(process.pid, 'SIGKILL'));
});
process.once('disconnect', () => process.exit(0));
