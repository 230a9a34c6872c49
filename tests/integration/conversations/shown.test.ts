/** What is said of a conversation and its turns: who stopped, what was sent, what it cost. */

import { beforeEach, describe, expect, it } from 'vitest';
import { renameConversation, startConversation } from '@/lib/conversations/manage-conversations';
import { getConversation, listConversations } from '@/lib/conversations/read-conversations';
import { askTurn, stopTurn } from '@/lib/conversations/turns';
import { listSessions } from '@/lib/insight/sessions/list-sessions';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { startOne } from '../engine/support/running';
import { answerNext, talk, talkOf } from './support/asking';

useTestDatabase();
let cast: Cast;
beforeEach(async () => {
  cast = await makeCast();
});

const begin = async () => {
  const { conversationId } = await startConversation(cast.alice, {
    project: cast.projectSlug,
    message: 'Is web well?',
    forceFresh: false,
  });
  return talkOf(cast, conversationId);
};

const UNSTARTED = {
  isSilent: true,
  result: {
    startedAt: null,
    startError: { code: 'missing' as const, message: 'The program claude was not found.' },
    exit: null,
    transcriptSeen: false,
  },
};

describe('a turn that is stopped', () => {
  it('names who stopped it, while it runs and when it has ended', async () => {
    const { id, lastTurn } = await begin();
    const spec = await claimNext(cast.runner);
    expect(await lastTurn()).toMatchObject({ stoppedBy: null });
    await stopTurn(cast.alice, id, (await lastTurn()).id);
    const { label } = cast.alice.actor;
    expect(await lastTurn()).toMatchObject({ status: 'stopping', stoppedBy: label });
    await play(cast.runner, spec, { isSilent: true, result: { stopCause: 'operator' } });
    expect(await lastTurn()).toMatchObject({
      status: 'stopped',
      statusText: `Stopped by ${label}.`,
      stoppedBy: label,
    });
  });

  it('names them before it has started', async () => {
    const { id, lastTurn } = await begin();
    await stopTurn(cast.alice, id, (await lastTurn()).id);
    expect(await lastTurn()).toMatchObject({
      status: 'stopped',
      stoppedBy: cast.alice.actor.label,
    });
  });
});

it('a turn whose process could not be started says that nothing was sent', async () => {
  const { id, ask, lastTurn } = await talk(cast);
  expect(await lastTurn()).toMatchObject({ start: { mode: 'fresh', isSent: true } });
  await askTurn(cast.alice, id, { message: 'And db?', forceFresh: true });
  await play(cast.runner, await claimNext(cast.runner), UNSTARTED);
  const turn = await lastTurn();
  expect(turn).toMatchObject({
    status: 'failed',
    start: {
      mode: 'transcript',
      isSent: false,
      sentence: 'Nothing was sent: the agent couldn’t be started.',
    },
  });
  expect(turn.statusText).toContain(
    'Install Claude Code there, or set CLAUDE_BIN, then ask again.',
  );
  await ask('And mail?');
  expect(await lastTurn()).toMatchObject({ start: { mode: 'transcript', isSent: true } });
});

it('a conversation costs what was reported, and nothing that is known before', async () => {
  const { id } = await begin();
  const cost = async () => {
    const [listed] = (await listConversations(cast.alice, { limit: 10 })).data;
    const { costUsd } = await getConversation(cast.alice, id);
    expect(listed?.costUsd).toBe(costUsd);
    return costUsd;
  };
  expect(await cost()).toBeNull();
  await answerNext(cast.runner, 'web is well.', { costUsd: 0.02 });
  expect(await cost()).toBeCloseTo(0.02, 9);
});

it('a conversation is renamed, in one line, and the audit log says so without its words', async () => {
  const { id } = await begin();
  await renameConversation(cast.alice, id, { title: ' The web \n outage ' });
  await renameConversation(cast.alice, id, { title: 'The web outage' });
  expect(await getConversation(cast.alice, id)).toMatchObject({ title: 'The web outage' });
  const audit = await inTransaction(cast.alice, (db) =>
    db.auditLog.findMany({ where: { action: 'conversation.renamed' } }),
  );
  expect(audit.map(({ target }) => target)).toEqual([id]);
  expect(JSON.stringify(audit.map(({ detail }) => detail))).not.toContain('outage');
  const stranger = await makeCast();
  await expect(renameConversation(stranger.alice, id, { title: 'Mine' })).rejects.toThrow();
});

it('sessions are listed by kind: those of chains, and those of turns with their cost', async () => {
  const { id, ask } = await talk(cast);
  await ask('And db?', {}, { costUsd: 0.02 });
  await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { costUsd: 0.4 });
  const list = (kind: 'tier' | 'ask') => listSessions(cast.alice, { limit: 10, kind });
  expect((await list('tier')).data).toMatchObject([
    { kind: 'tier', number: 3, chainNumber: 1, conversation: null, costUsd: 0.4 },
  ]);
  expect((await list('ask')).data).toMatchObject([
    { kind: 'ask', number: 2, chainId: null, conversation: { id, position: 2 }, costUsd: 0.02 },
    { kind: 'ask', number: 1, chainId: null, conversation: { id, position: 1 } },
  ]);
});
