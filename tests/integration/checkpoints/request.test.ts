/** What people do with the checkpoints of a session: ask for one, discard them. */

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { discardSession, requestCheckpoint } from '@/lib/engine/checkpoints/manage-checkpoints';
import { recordHeartbeat } from '@/lib/engine/directives';
import { getSession } from '@/lib/insight/sessions/get-session';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import { DEFAULT_CHECKPOINTS } from '@/lib/projects/checkpoint-settings';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, eventsOf, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { listenAsRunner, refusalOf, saveConfig, send, startOne } from '../engine/support/running';
import { checkpoint, tellCapabilities, workDirOf } from './support/checkpoint';

useTestDatabase();
afterAll(() => liveHub().close());

let cast: Cast;
let chainId: string;
let spec: AttemptSpec;
let sessionId: string;
beforeEach(async () => {
  cast = await makeCast();
  await tellCapabilities(cast.runner);
  chainId = await startOne(cast);
  spec = await claimNext(cast.runner);
  await send(cast.runner, spec, eventsOf(spec, { isSilent: true }));
  sessionId = encodeId('ses', spec.sessionId);
});

const OFF = { checkpoints: { ...DEFAULT_CHECKPOINTS, enabled: false } };
const asRole = (role: 'viewer' | 'operator') => ({ ...cast.alice, role });
const ask = (now = new Date()) => requestCheckpoint(cast.alice, sessionId, now);
const say = (trigger: 'explicit' | 'periodic') =>
  send(cast.runner, spec, [checkpoint('note', workDirOf(cast), { trigger })]);

async function directives() {
  const running = [{ attemptId: spec.attemptId, fence: spec.fence }];
  const said = { protocol: 1, capabilities: TEST_CAPABILITIES, running } as const;
  return (await recordHeartbeat(cast.runner, said)).directives;
}

function auditActions() {
  return inTransaction(cast.alice, async (db) =>
    (await db.auditLog.findMany({ orderBy: { seq: 'asc' } })).map(({ action }) => action),
  );
}

describe('a checkpoint that a person asks for', () => {
  it('[CKP-3.4] is asked of the runner until it came, whatever else comes', async () => {
    const now = new Date();
    const listening = await listenAsRunner(cast.runner);
    expect(await ask(now)).toEqual({
      sessionId,
      attemptId: encodeId('att', spec.attemptId),
      requestedAt: now.toISOString(),
    });
    await listening.isWoken();
    const asked = {
      kind: 'checkpoint',
      attemptId: spec.attemptId,
      requestedAt: now.toISOString(),
    };
    expect(await directives()).toEqual([asked]);
    expect((await say('periodic')).directives).toEqual([asked]);
    expect((await say('explicit')).directives).toEqual([]);
    expect(await directives()).toEqual([]);
    expect((await getSession(cast.alice, sessionId)).attempts).toMatchObject([
      { checkpointRequestedAt: null },
    ]);
  });

  it('[CKP-3.4] is asked for once, however often, and can be asked for again', async () => {
    const first = await ask();
    expect(await ask(new Date(Date.now() + 5_000))).toEqual(first);
    expect(await auditActions()).toEqual(expect.arrayContaining(['session.checkpoint_requested']));
    const asked = (actions: string[]) =>
      actions.filter((action) => action === 'session.checkpoint_requested').length;
    expect(asked(await auditActions())).toBe(1);
    await say('explicit');
    await ask();
    expect(asked(await auditActions())).toBe(2);
    expect(await directives()).toHaveLength(1);
  });

  it('[CKP-3.4] is not asked of a session that waits, stops or has ended', async () => {
    await stopChain(cast.alice, chainId);
    await expect(ask()).rejects.toThrow(/is being stopped and writes its last checkpoint/);
    expect((await directives()).map(({ kind }) => kind)).toEqual(['stop']);
    await play(cast.runner, spec, {});
    await expect(ask()).rejects.toThrow(/has ended. Only a running session/);
    const next = await startOne(cast);
    const waiting = await inTransaction(cast.alice, (db) =>
      db.session.findFirstOrThrow({ where: { chainId: next } }),
    );
    const waits = requestCheckpoint(cast.alice, encodeId('ses', waiting.id));
    await expect(waits).rejects.toThrow(/is waiting for a runner/);
    expect(await refusalOf(ask())).toBe('not_running');
  });

  it('[CKP-7.1] is not asked for where checkpoints are off, or were when it began', async () => {
    await saveConfig(cast, OFF);
    expect(await refusalOf(ask())).toBe('off');
    const other = await makeCast(OFF);
    await startOne(other);
    const started = await claimNext(other.runner);
    await saveConfig(other, {});
    const asking = requestCheckpoint(other.alice, encodeId('ses', started.sessionId));
    expect(await refusalOf(asking)).toBe('began_without');
  });

  it('[CKP-3.4] is not asked of a runner that would not know what is asked', async () => {
    const capabilities = { ...TEST_CAPABILITIES };
    await recordHeartbeat(cast.runner, { protocol: 1, capabilities, running: [] });
    await expect(ask()).rejects.toThrow(/^Runner runner-1 runs a version .+ Update it\.$/);
    expect(await directives()).toEqual([]);
  });

  it('needs an operator, and a session of the same organization', async () => {
    expect(
      await refusalOf(Promise.resolve().then(() => requestCheckpoint(asRole('viewer'), sessionId))),
    ).toBe('forbidden');
    const stranger = await makeCast();
    expect(await refusalOf(requestCheckpoint(stranger.alice, sessionId))).toBe('not_found');
    await requestCheckpoint(asRole('operator'), sessionId);
  });
});

describe('a session that is discarded', () => {
  it('[CKP-4.1] is recovered by nobody, says who did it, and keeps its checkpoints', async () => {
    await play(cast.runner, spec, { events: [checkpoint('secret plan', workDirOf(cast))] });
    const now = new Date();
    const discarded = await discardSession(cast.alice, sessionId, now);
    const by = { discardedAt: now.toISOString(), discardedBy: cast.alice.actor.label };
    expect(discarded).toEqual({ sessionId, ...by });
    expect(await discardSession(cast.alice, sessionId)).toEqual(discarded);
    expect(await getSession(cast.alice, sessionId)).toMatchObject(by);
    const said = (await auditActions()).filter((action) => action === 'session.discarded');
    expect(said).toHaveLength(1);
    await startOne(cast);
    expect((await claimNext(cast.runner)).start.recovery).toBeNull();
  });

  it('needs an operator, and a session of the same organization', async () => {
    expect(
      await refusalOf(Promise.resolve().then(() => discardSession(asRole('viewer'), sessionId))),
    ).toBe('forbidden');
    const stranger = await makeCast();
    expect(await refusalOf(discardSession(stranger.alice, sessionId))).toBe('not_found');
    expect((await getSession(cast.alice, sessionId)).discardedAt).toBeNull();
  });
});

describe('what a start recovered', () => {
  it('[CKP-4.1] is shown with its attempt: from where, and every word of it', async () => {
    await play(cast.runner, spec, { events: [checkpoint('web is down.', workDirOf(cast))] });
    await startOne(cast);
    const next = await claimNext(cast.runner);
    const found = await getSession(cast.alice, encodeId('ses', next.sessionId));
    expect(found.attempts[0]?.recovery).toMatchObject({
      checkpointId: expect.stringMatching(/^chk_/),
      sessionId,
      label: '#1.1',
      lineage: 'project',
      section: expect.stringMatching(/^## Session Recovery Context\n[\s\S]*web is down\.\n```$/),
    });
  });
});
