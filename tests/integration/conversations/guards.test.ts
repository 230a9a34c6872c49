/** Every guard of a follow-up, made to fail by what really happens, and passing before that. */

import { beforeEach, describe, expect, it } from 'vitest';
import type { Prisma } from '@/generated/prisma/client';
import { askTurn } from '@/lib/conversations/turns';
import { recordHeartbeat } from '@/lib/engine/directives';
import { MAX_TURNS_RESUMED } from '@/lib/engine/kinds/turn/claim/decision-input';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { Capabilities } from '@/lib/protocol/schema';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { reviveSessions } from '@/tests/support/revive-sessions';
import { saveConfig } from '../engine/support/running';
import { answerNext, carried, type Talk, talk } from './support/asking';
import { secondRunner } from './support/second-runner';

const database = useTestDatabase();
let cast: Cast;
let conversation: Talk;
beforeEach(async () => {
  cast = await makeCast();
  conversation = await talk(cast);
  expect(carried(await conversation.ask('And db?'))).toBe('resume');
});

const pointers = (data: Prisma.PointerUpdateManyMutationInput) =>
  inTransaction(cast.alice, async (db) => {
    await db.pointer.updateMany({ data });
  });

const beats = (claude: Partial<Capabilities['harnesses'][number]>) => {
  const [first, ...others] = TEST_CAPABILITIES.harnesses;
  const harnesses = [{ ...first, ...claude }, ...others] as Capabilities['harnesses'];
  const capabilities = { ...TEST_CAPABILITIES, harnesses };
  return recordHeartbeat(cast.runner, { protocol: 1, capabilities, running: [] });
};

/** A turn whose runner says under which account it was held. */
async function answerNextAs(account: string): Promise<void> {
  const { start } = await conversation.ask('And mail?', {}, { account });
  expect(start.continuation.mode).toBe('resume');
}

/** The next turn starts from everything that was said, for this reason. */
async function expectTranscript(reason: string): Promise<void> {
  const { start } = await conversation.ask('And mail?');
  expect(start.continuation).toEqual({ mode: 'transcript' });
  for (const said of ['Is web well?', 'answer to Is web well?', 'answer to And db?', 'And mail?']) {
    expect(start.prompt).toContain(said);
  }
  const turn = await conversation.lastTurn();
  expect(turn.start).toMatchObject({ mode: 'transcript', reason });
  expect(turn.start?.sentence).toContain('The full transcript was sent instead.');
}

describe('[CNV-2.1] a turn is not resumed', () => {
  it('where the CLI cannot resume', async () => {
    await beats({ canResume: false });
    await expectTranscript('CAP_ABSENT');
  });

  it('under another binary', async () => {
    await beats({ fingerprint: 'another' });
    await expectTranscript('RUNTIME_CHANGED');
  });

  it('[ENG-2.4] under another account of the provider, which the audit log records', async () => {
    await beats({ account: 'account-a' });
    await answerNextAs('account-a');
    await beats({ account: 'account-b' });
    const [entry] = await inTransaction(cast.alice, (db) =>
      db.auditLog.findMany({ where: { action: 'runner.account_changed' } }),
    );
    expect(entry?.detail).toMatchObject({ agent: 'claude', from: 'account-a', to: 'account-b' });
    await expectTranscript('AUTH_CHANGED');
  });

  it('while the turn before it has not ended', async () => {
    await askTurn(cast.alice, conversation.id, { message: 'And mail?', forceFresh: false });
    await reviveSessions(database, 'running', "status = 'completed'");
    await expect(claimNext(cast.runner)).rejects.toThrow('be started now');
    const [waiting] = await inTransaction(cast.alice, (db) =>
      db.session.findMany({ where: { statusText: { startsWith: 'Waiting' } } }),
    );
    expect(waiting?.statusText).toBe("Waiting: turn 2 hasn't ended yet.");
    await inTransaction(cast.alice, async (db) => {
      await db.session.updateMany({
        where: { status: 'running' },
        data: { status: 'completed', endedAt: new Date() },
      });
      await db.attempt.updateMany({ data: { notBefore: null } });
    });
    expect((await answerNext(cast.runner, 'mail is well')).start.continuation.mode).toBe('resume');
  });

  it('under an older CLI', async () => {
    await beats({ version: '2.1.1' });
    await expectTranscript('CLI_DOWNGRADE');
  });

  it('after a change of what the agent is told', async () => {
    await saveConfig(cast, { instructions: 'Speak plainly.' });
    await expectTranscript('EPOCH_BASE');
  });

  it('from an id that was given up', async () => {
    await pointers({ state: 'retired', retiredReason: 'context_exhausted' });
    await expectTranscript('CONTEXT_EXHAUSTED');
  });

  it('from an id that was never confirmed', async () => {
    await pointers({ state: 'unconfirmed' });
    await expectTranscript('POINTER_UNCONFIRMED');
  });

  it('where the context is nearly full', async () => {
    await pointers({ contextTokens: 170_000 });
    await expectTranscript('CONTEXT_PRESSURE');
  });

  it('where nobody knows how full it is', async () => {
    await pointers({ contextTokens: null });
    await expectTranscript('CONTEXT_UNKNOWN');
  });

  it('after 200 turns in one go, and the next one again', async () => {
    await pointers({ depth: MAX_TURNS_RESUMED });
    await expectTranscript('DEPTH_CAP');
    expect(carried(await conversation.ask('And the disk?'))).toBe('resume');
  });

  it('after three days', async () => {
    await pointers({ createdAt: new Date(Date.now() - 73 * 3_600_000) });
    await expectTranscript('EXPIRED');
  });

  it('where its runner is gone, and another takes it', async () => {
    const other = await secondRunner(cast);
    await inTransaction(cast.alice, async (db) => {
      const runner = await db.runner.findFirstOrThrow({ where: { id: cast.runner.actor.id } });
      await db.runner.updateMany({ where: { id: runner.id }, data: { revokedAt: new Date() } });
    });
    await askTurn(cast.alice, conversation.id, { message: 'And mail?', forceFresh: false });
    const { start } = await answerNext(other, 'mail is well');
    expect(start.continuation).toEqual({ mode: 'transcript' });
    expect(start.prompt).toContain('answer to And db?');
    expect((await conversation.lastTurn()).start?.reason).toBe('UNREACHABLE');
  });
});

describe('[CNV-2.1] a turn is resumed all the same', () => {
  it.each([
    ['a setting that concerns other tiers', () => saveConfig(cast, { maxTier: 2 })],
    ['a longer time limit', () => saveConfig(cast, { contextThreshold: 0.7 })],
    ['199 turns', () => pointers({ depth: MAX_TURNS_RESUMED - 1 })],
    ['a heartbeat that says the same', () => beats({})],
  ])('after %s', async (_what, happens) => {
    await happens();
    expect(carried(await conversation.ask('And mail?'))).toBe('resume');
  });
});
