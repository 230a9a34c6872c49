/** Short words for what the tests of the engine do over and over. */

import { expect, vi } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { recordEvents } from '@/lib/engine/record-events';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { AppError } from '@/lib/platform/errors';
import { notifyRunner } from '@/lib/platform/live/hint';
import { liveHub } from '@/lib/platform/live/hub';
import { saveProject } from '@/lib/projects/manage-project';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { EventsResponse } from '@/lib/protocol/schema';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, testConfig } from '@/tests/support/cast/organization';

export async function startOne(cast: Cast, now = new Date()): Promise<string> {
  const input = { projectId: cast.projectId, trigger: 'manual' as const };
  return (await startChain(cast.alice, input, now)).chainId;
}

/** The next version, from the configuration that the cast began with. */
export async function saveConfig(cast: Cast, changes: Partial<ProjectConfig>): Promise<void> {
  const project = await inTransaction(cast.alice, (db) => db.project.findFirstOrThrow({}));
  await saveProject(cast.alice, {
    projectId: project.id,
    baseVersion: project.currentVersion,
    name: project.name,
    slug: project.slug,
    config: testConfig(changes),
  });
}

/** Sends events behind those that the attempt has sent so far. */
export async function send(
  runner: TenantScope,
  spec: Pick<AttemptSpec, 'attemptId' | 'fence'>,
  events: RunnerEvent[],
  now = new Date(),
): Promise<EventsResponse> {
  const { ackedSeq } = await inTransaction(runner, (db) =>
    db.attempt.findFirstOrThrow({ where: { id: spec.attemptId } }),
  );
  const numbered = events.map((event, index) => ({
    seq: ackedSeq + index + 1,
    at: now.toISOString(),
    event,
  }));
  return recordEvents(
    runner,
    [{ attemptId: spec.attemptId, fence: spec.fence, events: numbered }],
    now,
  );
}

/** The code of a refusal, such as `not_queued`; `not_found` for a thing that may not be seen. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return typeof error.details.code === 'string' ? error.details.code : error.code;
  }
  return 'none';
}

let calls = 0;

/** A command of the agent, and its result unless `isRunning`. */
export function command(
  text: string,
  { denied = false, isRunning = false }: { denied?: boolean; isRunning?: boolean } = {},
): RunnerEvent[] {
  calls += 1;
  const toolUseId = `call-${calls}`;
  const call: RunnerEvent = {
    kind: 'tool_call',
    messageId: `m-${calls}`,
    toolUseId,
    tool: 'Bash',
    input: { command: text },
    parentToolUseId: null,
  };
  return isRunning ? [call] : [call, answer(toolUseId, denied)];
}

export function answer(toolUseId: string, denied = false): RunnerEvent {
  return {
    kind: 'tool_result',
    toolUseId,
    isError: denied,
    denied,
    content: '',
    stdout: null,
    stderr: null,
    exitCode: denied ? null : 0,
    cutBytes: 0,
  };
}

/**
 * Listens for what wakes a runner's held-open request, from when this returns on. Without it the
 * request would be answered too, but only when its 25 s are over.
 */
export async function listenAsRunner(runner: TenantScope): Promise<{ isWoken(): Promise<void> }> {
  const counted = (id: string) => {
    const count = { hints: 0 };
    liveHub().subscribe(`r:${id}`, ({ isResync }) => {
      if (!isResync) count.hints += 1;
    });
    return count;
  };
  const probe = counted('probe');
  const own = counted(runner.actor.id);
  await vi.waitFor(
    async () => {
      await inTransaction(runner, (db) => notifyRunner(db, 'probe'));
      expect(probe.hints).toBeGreaterThan(0);
    },
    { timeout: 60_000 },
  );
  return {
    isWoken: () => vi.waitFor(() => expect(own.hints).toBeGreaterThan(0), { timeout: 60_000 }),
  };
}
