/** A conversation whose file was changed on its host after its process ended is not resumed. */

import { expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { getSession } from '@/lib/insight/sessions/get-session';
import type { GuardDto } from '@/lib/insight/sessions/schema';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import {
  checked,
  claimNext,
  type Played,
  play,
  wantsHelp,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const written = { bytes: 4_096, sha256: 'a'.repeat(64) };

async function tierTwoClaimed(cast: Cast, transcript: typeof written | null) {
  const { chainId } = await startChain(cast.alice, {
    projectId: cast.projectId,
    trigger: 'manual',
  });
  const first = await claimNext(cast.runner);
  await play(cast.runner, first, {
    report: wantsHelp(),
    events: [checked('web', 'down')],
    result: { transcript },
  });
  return { chainId, second: await claimNext(cast.runner) };
}

const changed: Played = {
  isSilent: true,
  result: {
    startedAt: null,
    startError: { code: 'transcript_changed', message: 'It has 5,000 bytes.' },
    exit: null,
    transcriptSeen: false,
  },
};

async function guardsOf(cast: Cast, sessionId: string): Promise<Map<string, GuardDto>> {
  const session = await getSession(cast.alice, encodeId('ses', sessionId));
  const [start] = session.decisions.filter(({ kind }) => kind === 'continuation');
  return new Map(start?.guards.map((guard) => [guard.id, guard]));
}

it('[ENG-2.3] gives the runner what to compare, and falls back to the handoff where it differs', async () => {
  const cast = await makeCast();
  const { chainId, second } = await tierTwoClaimed(cast, written);
  expect(second.start.continuation).toMatchObject({ mode: 'resume', transcript: written });
  await play(cast.runner, second, changed);

  const fallback = await claimNext(cast.runner);
  expect(fallback.sessionId).toBe(second.sessionId);
  expect(fallback.start.continuation).toEqual({ mode: 'handoff' });
  await play(cast.runner, fallback, { report: { resolved: true } });

  const rows = await readChain(cast.alice, chainId);
  const starts = rows.decisions.filter(
    ({ kind, sessionId }) => kind === 'continuation' && sessionId === second.sessionId,
  );
  expect(starts.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ['resume', 'OK_RESUME'],
    ['handoff', 'TAMPERED'],
  ]);
  const [event] = rows.events.filter(({ code }) => code === 'CONVERSATION_CHANGED');
  expect(event).toMatchObject({ level: 'critical', sessionId: second.sessionId });
  const [entry] = await inTransaction(cast.alice, (db) =>
    db.auditLog.findMany({ where: { action: 'security.conversation_changed' } }),
  );
  expect(entry).toMatchObject({
    target: encodeId('ses', second.sessionId),
    detail: expect.objectContaining({ expected: written, found: 'It has 5,000 bytes.' }),
  });
  const guards = await guardsOf(cast, second.sessionId);
  expect(guards.get('R2')).toMatchObject({ state: 'stopped', passed: false });
  expect(rows.chain.outcome).toBe('fixed');
});

it('[ENG-2.2] shows what the runner compared as passed only once it says so', async () => {
  const cast = await makeCast();
  const { second } = await tierTwoClaimed(cast, written);
  const before = await guardsOf(cast, second.sessionId);
  expect(before.get('R2')).toMatchObject({
    state: 'not_checked',
    passed: null,
    unknown: { transcript: 'The runner checks this right before it starts the process.' },
  });
  await play(cast.runner, second, {
    report: { resolved: true },
    verified: ['work_dir', 'transcript'],
  });
  const after = await guardsOf(cast, second.sessionId);
  for (const id of ['R1', 'R2']) expect(after.get(id)).toMatchObject({ state: 'passed' });
});

it('[ENG-2.2] says so where the runner did not report the transcript', async () => {
  const cast = await makeCast();
  const { second } = await tierTwoClaimed(cast, null);
  expect(second.start.continuation).toMatchObject({ mode: 'resume', transcript: null });
  await play(cast.runner, second, { report: { resolved: true }, verified: ['work_dir'] });
  const guards = await guardsOf(cast, second.sessionId);
  expect(guards.get('R1')).toMatchObject({ state: 'passed' });
  expect(guards.get('R2')).toMatchObject({
    state: 'not_checked',
    unknown: { transcript: 'The runner that held the conversation did not report this.' },
  });
});

it('[ENG-2.5] a start refused for another agent is repeated with its pointer, and counts as no attempt', async () => {
  const cast = await makeCast();
  const { chainId, second } = await tierTwoClaimed(cast, written);
  expect(second.start.agent).toEqual({ fingerprint: 'f1', account: null });
  for (const spec of [second, null]) {
    const claimed = spec ?? (await claimNext(cast.runner, later()));
    await play(cast.runner, claimed, {
      isSilent: true,
      result: {
        startedAt: null,
        startError: { code: 'agent_changed', message: 'Version 2.1.197 stands there now.' },
        exit: null,
        transcriptSeen: false,
      },
    });
  }
  // Only once the runner has reported what its host has now.
  await expect(claimNext(cast.runner)).rejects.toThrow('be started now');
  const again = await claimNext(cast.runner, later());
  expect(again.sessionId).toBe(second.sessionId);
  expect(again.start.continuation).toEqual(second.start.continuation);
  await play(cast.runner, again, { report: { resolved: true } });
  expect((await readChain(cast.alice, chainId)).chain.outcome).toBe('fixed');
});

function later(): Date {
  return new Date(Date.now() + 30_000);
}
