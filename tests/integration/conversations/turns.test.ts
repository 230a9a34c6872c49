/** Turns of a conversation through the services that pages, API and runner call. */

import { beforeEach, describe, expect, it } from 'vitest';
import { raiseEpochs } from '@/lib/conversations/data';
import { startConversation } from '@/lib/conversations/manage-conversations';
import { getConversation, listTurns } from '@/lib/conversations/read-conversations';
import { askTurn, cutTurn, editTurn, retryTurn, stopTurn } from '@/lib/conversations/turns';
import { startChain } from '@/lib/engine/chains/start-chain';
import { getProjectPlots } from '@/lib/insight/analytics/get-plots';
import { getChain } from '@/lib/insight/chains/get-chain';
import { getContextShares } from '@/lib/insight/project-settings';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId, requireId } from '@/lib/platform/ids';
import { pauseProject, resumeProject } from '@/lib/projects/pauses';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { command, saveConfig, startOne } from '../engine/support/running';
import { answerNext, carried, talk } from './support/asking';

useTestDatabase();
let cast: Cast;
beforeEach(async () => {
  cast = await makeCast();
});

const AGENTS = [
  { name: 'claude', harness: 'claude' as const, model: 'haiku' },
  { name: 'second', harness: 'demo' as const, model: 'demo' },
];

describe('a follow-up', () => {
  it('[CNV-1.1] resumes the conversation before it and sends the new message alone', async () => {
    const { ask, first, lastTurn } = await talk(cast);
    expect(first.start.continuation).toEqual({ mode: 'fresh' });
    expect(first.start.prompt).toBe('Is web well?');
    const { start } = await ask('And db?');
    expect(start.continuation).toEqual({
      mode: 'resume',
      parentCliSessionId: first.start.cliSessionId,
      workDirInode: '1:1',
      sealId: null,
      transcript: null,
    });
    expect(start.prompt).toContain('And db?');
    expect(start.prompt).not.toContain('Is web well?');
    const turn = await lastTurn();
    expect(turn.start).toMatchObject({ mode: 'resume', reason: 'OK_RESUME' });
    expect(turn).toMatchObject({ position: 2, answer: 'answer to And db?', status: 'completed' });
  });

  it('[CNV-1.3] gives the instructions on resumed turns too, and no report to fill in', async () => {
    const { ask, first } = await talk(cast);
    const second = await ask('And db?');
    for (const { start } of [first, second]) {
      expect(start.systemPrompt).toContain('You answer questions from the operators of');
      expect(start).toMatchObject({ purpose: 'ask', reportSchema: null, tier: 1 });
    }
  });

  it('[CNV-4.2] brings the line against echoes, and only where it resumes', async () => {
    const { ask, first } = await talk(cast);
    const line = "don't repeat an earlier answer";
    expect(first.start.prompt).not.toContain(line);
    expect((await ask('And db?')).start.prompt).toContain(line);
    expect((await ask('Again', { forceFresh: true })).start.prompt).not.toContain(line);
  });

  it('[CNV-4.1] starts fresh when it is asked to, with everything that was said', async () => {
    const { ask, lastTurn } = await talk(cast);
    const { start } = await ask('And db?', { forceFresh: true });
    expect(start.continuation).toEqual({ mode: 'transcript' });
    for (const said of ['Is web well?', 'answer to Is web well?', 'And db?']) {
      expect(start.prompt).toContain(said);
    }
    expect((await lastTurn()).start).toMatchObject({ mode: 'transcript', reason: 'FORCE_FRESH' });
  });

  it('[CNV-5.1] shows how it began, why, and its input tokens of both kinds', async () => {
    const { ask, lastTurn } = await talk(cast);
    await ask('And db?', {}, { contextTokens: 1_234, costUsd: 0.02 });
    expect(await lastTurn()).toMatchObject({
      start: { mode: 'resume', sentence: 'Continues the conversation of turn 1.' },
      usage: { newInputTokens: 1_234, cachedInputTokens: 0, costUsd: 0.02 },
      contextTokens: 1_234,
    });
  });

  it('waits for the answer before it', async () => {
    const { conversationId } = await startConversation(cast.alice, {
      project: cast.projectSlug,
      message: 'one',
      forceFresh: false,
    });
    const second = askTurn(cast.alice, conversationId, { message: 'two', forceFresh: false });
    await expect(second).rejects.toMatchObject({ code: 'conflict' });
    expect(await getConversation(cast.alice, conversationId)).toMatchObject({
      isBusy: true,
      phase: 'waiting',
    });
  });

  it('[CNV-2.1] is not led by an answer that never came: the whole transcript is sent', async () => {
    const { id, ask, lastTurn } = await talk(cast);
    await ask('And db?', {}, { isSilent: true, result: { stopCause: 'timed_out' } });
    expect((await lastTurn()).answer).toBeNull();
    const { start } = await ask('Again: db?');
    expect(carried({ start } as never)).toBe('transcript');
    expect(start.prompt).toContain('And db?\n[Agent claude]\n(This message was not answered.)');
    expect((await listTurns(cast.alice, id, { withCut: true })).length).toBe(3);
  });
});

describe('what was edited', () => {
  it('[CNV-2.2] is asked again from what is left before it', async () => {
    const { id, ask, turns } = await talk(cast);
    await ask('And db?');
    await ask('And mail?');
    const [, second] = await turns();
    await editTurn(cast.alice, id, second?.id ?? '', { message: 'And cache?', forceFresh: false });
    const { start } = await answerNext(cast.runner, 'cache is well');
    expect(start.continuation).toEqual({ mode: 'transcript' });
    expect(start.prompt).toContain('Is web well?');
    expect(start.prompt).not.toContain('And db?');
    expect(start.prompt).not.toContain('And mail?');
    expect((await turns()).map(({ position, message }) => [position, message])).toEqual([
      [1, 'Is web well?'],
      [2, 'And cache?'],
    ]);
    const reasons = (await turns()).map((turn) => turn.start?.reason);
    expect(reasons).toEqual(['FIRST_TURN', 'HISTORY_CHANGED']);
    const all = await listTurns(cast.alice, id, { withCut: true });
    expect(all.filter(({ cutAt }) => cutAt !== null)).toHaveLength(2);
  });

  it('[CNV-1.3] is fresh when the same is asked again', async () => {
    const { id, ask, turns } = await talk(cast);
    await ask('And db?');
    const [, second] = await turns();
    await retryTurn(cast.alice, id, second?.id ?? '', {});
    const { start } = await answerNext(cast.runner, 'db is well');
    expect(start.continuation).toEqual({ mode: 'transcript' });
    expect((await turns()).at(-1)).toMatchObject({ message: 'And db?', forceFresh: true });
  });

  it('[CNV-2.4] in the middle of an answer does not make its conversation good', async () => {
    const { id, ask, turns } = await talk(cast);
    await askTurn(cast.alice, id, { message: 'slow', forceFresh: false });
    const slow = await claimNext(cast.runner);
    const [, second] = await turns();
    await cutTurn(cast.alice, id, second?.id ?? '');
    await play(cast.runner, slow, { report: null, text: 'late words' });
    const { start } = await ask('next');
    expect(start.continuation).toEqual({ mode: 'transcript' });
    expect(start.prompt).not.toContain('late words');
  });

  it('[CNV-2.4] while the agent answers: its conversation is good for the history as it began', async () => {
    const { id, ask, lastTurn } = await talk(cast);
    await askTurn(cast.alice, id, { message: 'slow', forceFresh: false });
    const slow = await claimNext(cast.runner);
    await inTransaction(cast.alice, (db) => raiseEpochs(db, requireId('cnv', id), ['claude']));
    await play(cast.runner, slow, { report: null, text: 'slow words' });
    expect(carried(await ask('next'))).toBe('transcript');
    expect((await lastTurn()).start?.reason).toBe('HISTORY_CHANGED');
    expect(carried(await ask('and on'))).toBe('resume');
  });

  it('cannot be edited twice', async () => {
    const { id, ask, turns } = await talk(cast);
    await ask('And db?');
    const [, second] = await turns();
    await cutTurn(cast.alice, id, second?.id ?? '');
    const again = cutTurn(cast.alice, id, second?.id ?? '');
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
  });

  it('waits while the project is paused, also where that was said after the message', async () => {
    const { id, lastTurn } = await talk(cast);
    await askTurn(cast.alice, id, { message: 'two', forceFresh: false });
    await pauseProject(cast.alice, cast.projectSlug, { reason: 'new credentials' });
    await expect(claimNext(cast.runner)).rejects.toMatchObject({ details: { code: 'held_back' } });
    expect(await lastTurn()).toMatchObject({
      status: 'waiting',
      statusText: expect.stringMatching(/^Checkout is paused by .+ The agent answers once/),
    });
    const more = startConversation(cast.alice, {
      project: cast.projectSlug,
      message: 'three',
      forceFresh: false,
    });
    await expect(more).rejects.toMatchObject({ code: 'precondition_failed' });
    await resumeProject(cast.alice, cast.projectSlug);
    await answerNext(cast.runner, 'two is well');
    expect(await lastTurn()).toMatchObject({ status: 'completed', answer: 'two is well' });
  });

  it('ends what still waits', async () => {
    const { id, ask, turns, lastTurn } = await talk(cast);
    await askTurn(cast.alice, id, { message: 'two', forceFresh: false });
    await stopTurn(cast.alice, id, (await lastTurn()).id);
    expect(await lastTurn()).toMatchObject({ status: 'stopped', answer: null });
    await expect(stopTurn(cast.alice, id, (await lastTurn()).id)).rejects.toMatchObject({
      code: 'conflict',
    });
    await ask('three');
    expect(await turns()).toHaveLength(3);
  });
});

describe('another agent', () => {
  beforeEach(() => saveConfig(cast, { askAgents: AGENTS }));

  it('[CNV-2.5] gets the whole transcript, and so does the first one afterwards', async () => {
    const { ask, turns } = await talk(cast);
    const second = await ask('And db?', { agent: 'second' });
    expect(second.start).toMatchObject({
      harness: 'demo',
      model: 'demo',
      continuation: { mode: 'transcript' },
    });
    expect(second.start.prompt).toContain('answer to Is web well?');
    const back = await ask('And mail?', { agent: 'claude' });
    expect(carried(back)).toBe('transcript');
    expect(back.start.prompt).toContain('answer to And db?');
    expect(carried(await ask('And cache?'))).toBe('resume');
    const reasons = (await turns()).map((turn) => turn.start?.reason);
    expect(reasons).toEqual(['FIRST_TURN', 'AGENT_CHANGED', 'AGENT_CHANGED', 'OK_RESUME']);
  });

  it('[CNV-2.3] whose turn stood before: cutting it raises the epoch of the agent after it', async () => {
    const { id, ask, turns } = await talk(cast, 'one', { agent: 'second' });
    await ask('two', { agent: 'claude' });
    const [first] = await turns();
    await cutTurn(cast.alice, id, first?.id ?? '');
    const epochs = await inTransaction(cast.alice, (db) => db.agentEpoch.findMany());
    expect(epochs.map(({ agent, epoch }) => [agent, epoch])).toEqual([['claude', 1]]);
  });

  it('must be one that the project has', async () => {
    const { id } = await talk(cast);
    const message = { message: 'x', forceFresh: false, agent: 'nobody' };
    await expect(askTurn(cast.alice, id, message)).rejects.toMatchObject({
      code: 'invalid',
      message: 'This project has no agent named nobody. It has claude, second.',
    });
  });
});

describe('a conversation that cannot be continued', () => {
  it('[CNV-3.1] is tried once more from the transcript, and never offered again', async () => {
    const { ask, first, id, lastTurn } = await talk(cast);
    await askTurn(cast.alice, id, { message: 'And db?', forceFresh: false });
    const rejected = await claimNext(cast.runner);
    await play(cast.runner, rejected, {
      isSilent: true,
      result: {
        exit: { code: 1, signal: null },
        stderrTail: `No conversation found with session ID: ${first.start.cliSessionId}`,
        transcriptSeen: false,
      },
    });
    const again = await answerNext(cast.runner, 'db is well');
    expect(again.start.continuation).toEqual({ mode: 'transcript' });
    expect(again.start.prompt).toContain('answer to Is web well?');
    expect(await lastTurn()).toMatchObject({
      status: 'completed',
      answer: 'db is well',
      start: { mode: 'transcript', isFallback: true },
    });
    const retired = await inTransaction(cast.alice, (db) =>
      db.pointer.findMany({ where: { state: 'retired' } }),
    );
    expect(retired.map(({ cliSessionId }) => cliSessionId)).toContain(first.start.cliSessionId);
    expect((await ask('And mail?')).start.continuation).toEqual({
      mode: 'resume',
      parentCliSessionId: again.start.cliSessionId,
      workDirInode: '1:1',
      sealId: null,
      transcript: null,
    });
  });

  it('[CNV-2.1] [CNV-3.1] is given up where the runner finds another work directory', async () => {
    const { ask, first, id, lastTurn } = await talk(cast);
    await askTurn(cast.alice, id, { message: 'And db?', forceFresh: false });
    await play(cast.runner, await claimNext(cast.runner), {
      isSilent: true,
      result: {
        startedAt: null,
        startError: { code: 'work_dir_changed', message: 'another folder' },
        exit: null,
        transcriptSeen: false,
      },
    });
    const again = await answerNext(cast.runner, 'db is well');
    expect(again.start.continuation).toEqual({ mode: 'transcript' });
    const turn = await lastTurn();
    expect(turn).toMatchObject({
      answer: 'db is well',
      start: { mode: 'transcript', reason: 'WORKDIR_CHANGED', isFallback: true },
    });
    expect(turn.start?.sentence).toBe(
      "Couldn't continue turn 1: its work directory has changed. The full transcript was sent instead.",
    );
    const [given] = await inTransaction(cast.alice, (db) =>
      db.pointer.findMany({ where: { cliSessionId: first.start.cliSessionId } }),
    );
    expect(given).toMatchObject({ state: 'retired', retiredReason: 'work_dir_changed' });
    expect((await ask('And mail?')).start.continuation).toMatchObject({
      mode: 'resume',
      parentCliSessionId: again.start.cliSessionId,
    });
  });

  it('[CNV-3.1] is not tried again once a tool ran', async () => {
    const { id, first, lastTurn } = await talk(cast);
    await askTurn(cast.alice, id, { message: 'And db?', forceFresh: false });
    await play(cast.runner, await claimNext(cast.runner), {
      isSilent: true,
      events: command('docker ps'),
      result: {
        exit: { code: 1, signal: null },
        stderrTail: `No conversation found with session ID: ${first.start.cliSessionId}`,
      },
    });
    expect(await lastTurn()).toMatchObject({ status: 'failed', answer: null });
  });

  it('[CNV-3.2] is not meant by an answer that quotes such words', async () => {
    const { ask, lastTurn } = await talk(cast);
    await ask('why?', {}, { text: 'The log says: No conversation found with session ID: 1' });
    expect(await lastTurn()).toMatchObject({ status: 'completed' });
    expect(carried(await ask('and?'))).toBe('resume');
  });
});

describe('a chain that has ended', () => {
  async function endedChain() {
    const chainId = await startOne(cast);
    const spec = await claimNext(cast.runner);
    await play(cast.runner, spec, { report: { summary: 'web was slow, and is well again.' } });
    return { chainId, spec };
  }
  const rowsOf = (chainId: string) =>
    inTransaction(cast.alice, async (db) => ({
      chain: await db.chain.findFirstOrThrow({ where: { id: chainId } }),
      sessions: await db.session.findMany({ where: { chainId } }),
      pointers: await db.pointer.findMany({ where: { session: { chainId } } }),
    }));

  /** What people are shown of it, and what is counted over all chains. */
  const shownOf = async (chainId: string) => {
    const request = { range: '7d', timeZone: 'UTC', project: cast.projectSlug } as const;
    const plots = await getProjectPlots(cast.alice, { ...request, dayLimitMicros: null });
    return {
      chain: await getChain(cast.alice, encodeId('chn', chainId)),
      hops: plots.hops,
      contextShares: await getContextShares(cast.alice, cast.projectId),
    };
  };

  it('[ENG-2.6] is not resumed again once that has failed twice without a known reason', async () => {
    const { chainId, spec } = await endedChain();
    const about = { chain: encodeId('chn', chainId), message: 'why?', forceFresh: false };
    await startConversation(cast.alice, about);
    // The turn is tried once more by itself.
    for (const _ of [1, 2]) {
      const resumed = await claimNext(cast.runner);
      expect(resumed.start.continuation).toMatchObject({
        mode: 'resume',
        parentCliSessionId: spec.start.cliSessionId,
      });
      await play(cast.runner, resumed, {
        isSilent: true,
        result: { exit: { code: 3, signal: null } },
      });
    }
    const { first, lastTurn } = await talk(cast, 'why then?', { chain: about.chain });
    expect(first.start.continuation).toEqual({ mode: 'transcript' });
    expect((await lastTurn()).start).toMatchObject({ reason: 'FAILURE_CAP' });
  });

  it('is continued by forks, each with an id of its own, and never changed', async () => {
    const { chainId, spec } = await endedChain();
    const before = await rowsOf(chainId);
    const shownBefore = await shownOf(chainId);
    const about = { chain: encodeId('chn', chainId) };
    const starts = [await talk(cast, 'why?', about), await talk(cast, 'since when?', about)];
    for (const { first } of starts) {
      expect(first.start.continuation).toEqual({
        mode: 'resume',
        parentCliSessionId: spec.start.cliSessionId,
        workDirInode: '1:1',
        sealId: null,
        transcript: null,
      });
      expect(first.start.systemPrompt).toContain(
        'Their questions are about Chain #1, which has ended',
      );
    }
    expect(new Set(starts.map(({ first }) => first.start.cliSessionId)).size).toBe(2);
    expect(await rowsOf(chainId)).toEqual(before);
    expect(await shownOf(chainId)).toEqual(shownBefore);
  });

  it('[CNV-1.1] is told in full where its conversation may not be continued', async () => {
    const { chainId } = await endedChain();
    const { first, lastTurn } = await talk(cast, 'why?', {
      chain: encodeId('chn', chainId),
      forceFresh: true,
    });
    expect(first.start.continuation).toEqual({ mode: 'transcript' });
    expect(first.start.prompt).toContain('web was slow, and is well again.');
    expect((await lastTurn()).start?.reason).toBe('FORCE_FRESH');
  });

  it('is asked about once it has ended', async () => {
    const { chainId } = await startChain(cast.alice, {
      projectId: cast.projectId,
      trigger: 'manual',
    });
    const asked = startConversation(cast.alice, {
      chain: encodeId('chn', chainId),
      message: 'why?',
      forceFresh: false,
    });
    await expect(asked).rejects.toMatchObject({
      code: 'conflict',
      message: 'Chain #1 is still running. Ask about it once it has ended.',
    });
  });
});
