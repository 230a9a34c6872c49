/** A turn that goes silent is continued once in its own conversation; a second silence ends it. */

import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { startConversation } from '@/lib/conversations/manage-conversations';
import { askTurn, cutTurn, stopTurn } from '@/lib/conversations/turns';
import { claimAttempt } from '@/lib/engine/claim';
import { recordHeartbeat } from '@/lib/engine/directives';
import { settleAttempt } from '@/lib/engine/settle';
import { findSuperseded } from '@/lib/engine/superseded';
import { recordResult } from '@/lib/engine/take-result';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { pauseProject, resumeProject } from '@/lib/projects/pauses';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import {
  claimNext,
  eventsOf,
  nextAttemptId,
  type Played,
  play,
  resultOf,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { command, refusalOf, saveConfig, send } from '../engine/support/running';
import { answerNext, type Talk, talk, talkOf } from './support/asking';
import { untilBlocked } from './support/blocked';
import { secondRunner } from './support/second-runner';

const database = useTestDatabase();
let cast: Cast;
let conversation: Talk & { first: AttemptSpec };
/** The first process of the second turn. */
let spec: AttemptSpec;
beforeEach(async () => {
  cast = await makeCast();
  conversation = await talk(cast);
  await askTurn(cast.alice, conversation.id, { message: 'And db?', forceFresh: false });
  spec = await claimNext(cast.runner);
});

/** Stopped by the runner after its stall limit, in the middle of a request. */
const silent = (events: Played['events'] = [], more: Partial<Played> = {}): Played => ({
  isSilent: true,
  report: null,
  events,
  contextTokens: 20_000,
  result: { stopCause: 'stalled', exit: { code: 0, signal: null } },
  ...more,
});
const goSilent = (events?: Played['events']) => play(cast.runner, spec, silent(events));

/** Everything that is stored about the second turn. */
async function rows() {
  const { position, session } = await conversation.lastTurn();
  const { id: projectId } = await inTransaction(cast.alice, (db) => db.project.findFirstOrThrow());
  return inTransaction(cast.alice, async (db) => {
    const row = await db.session.findFirstOrThrow({ where: { projectId, number: session.number } });
    const where = { sessionId: row.id };
    const decisions = await db.decision.findMany({ where, orderBy: { id: 'asc' } });
    const of = (kind: string) =>
      decisions
        .filter((decision) => decision.kind === kind)
        .map(({ verdict, reason }) => [verdict, reason]);
    return {
      session: row,
      turns: await db.turn.count({ where: { position } }),
      attempts: (await db.attempt.findMany({ where, orderBy: { number: 'asc' } })).map(
        ({ purpose, status, end }) => [purpose, end ?? status],
      ),
      starts: of('continuation'),
      ends: of('after_end'),
      ledger: await db.ledgerEntry.findMany({ where, orderBy: { id: 'asc' } }),
      events: (await db.projectEvent.findMany({ where })).map(({ level, code }) => [level, code]),
    };
  });
}

interface DecisionFacts {
  guards: { id: string; compared: object }[];
}

/** As if the host had been silent for the whole wait. */
const releaseFromHost = (id: string) =>
  inTransaction(cast.alice, async (db) => {
    await db.attempt.updateMany({
      where: { id },
      data: { requiredRunnerId: null, waitUntil: new Date(0) },
    });
  });

describe('[ENG-5.5] a turn that goes silent with no call open', () => {
  it('is continued in its own conversation under the same turn, says so, and answers', async () => {
    await goSilent(command('ls /etc'));
    const told = 'All its tool calls had ended, so the agent continues once, where it left off.';
    expect(await conversation.lastTurn()).toMatchObject({
      status: 'queued',
      statusText: expect.stringContaining(told),
      start: { mode: 'resume', reason: 'OK_RESUME', isSent: true },
      continued: expect.stringContaining(told),
      answer: null,
      endedAt: null,
    });
    expect((await rows()).events).toEqual([['warning', 'STALLED']]);

    const again = await claimNext(cast.runner);
    expect(again.sessionId).toBe(spec.sessionId);
    const { cliSessionId } = spec.start;
    expect(again.start).toMatchObject({
      purpose: 'ask',
      tools: spec.start.tools,
      allowedRules: spec.start.allowedRules,
      systemPrompt: spec.start.systemPrompt,
      continuation: { mode: 'resume', parentCliSessionId: cliSessionId },
    });
    expect(again.start.cliSessionId).not.toBe(cliSessionId);
    expect(again.start.prompt).toMatch(/^Continue where you left off/);
    expect(again.start.prompt).not.toContain('And db?');
    expect(await conversation.lastTurn()).toMatchObject({
      status: 'running',
      start: { mode: 'resume', reason: 'OK_RESUME', isSent: true },
      continued: expect.stringContaining(told),
    });

    await play(cast.runner, again, { report: null, text: 'db is well.' });
    expect(await conversation.lastTurn()).toMatchObject({
      status: 'completed',
      answer: 'db is well.',
      continued: expect.stringContaining(told),
    });
    const { turns, attempts, starts, ends } = await rows();
    expect(turns).toBe(1);
    expect(attempts).toEqual([
      ['ask', 'stalled'],
      ['continue', 'completed'],
    ]);
    expect(starts).toEqual([
      ['resume', 'OK_RESUME'],
      ['resume', 'OK_CONTINUE'],
    ]);
    expect(ends).toEqual([
      ['continue', 'CONTINUE_ONCE'],
      ['answered', 'COMPLETED'],
    ]);
    const next = await conversation.ask('And mail?');
    expect(next.start.continuation).toMatchObject({
      mode: 'resume',
      parentCliSessionId: again.start.cliSessionId,
    });
    expect(next.start.prompt).toContain('And mail?');
  });

  it('and goes silent again, ends, and the next turn does not continue what it left', async () => {
    await goSilent(command('ls /etc'));
    const again = await claimNext(cast.runner);
    await play(cast.runner, again, silent());
    const { attempts, ends, session } = await rows();
    expect(attempts).toEqual([
      ['ask', 'stalled'],
      ['continue', 'stalled'],
    ]);
    expect(ends).toEqual([
      ['continue', 'CONTINUE_ONCE'],
      ['ended', 'CONTINUE_SPENT'],
    ]);
    expect(session.endedAt).not.toBeNull();
    const turn = await conversation.lastTurn();
    expect(turn).toMatchObject({ status: 'failed', answer: null });
    expect(turn.statusText).toMatch(
      /^No output for .*, so the process was stopped\. The agent stalled again after it was continued once\. Check its last call/,
    );
    const cliSessionIds = [spec.start.cliSessionId, again.start.cliSessionId];
    expect(await findSuperseded(cast.runner, { cliSessionIds })).toEqual({
      superseded: expect.arrayContaining(cliSessionIds),
    });
    const next = await conversation.ask('And mail?');
    expect(next.start.continuation).toEqual({ mode: 'transcript' });
    expect(await conversation.lastTurn()).toMatchObject({ start: { reason: 'NO_POINTER' } });
  });

  it('keeps how it started where that was another way, also after it fell back', async () => {
    await play(cast.runner, spec, {
      isSilent: true,
      result: {
        exit: { code: 1, signal: null },
        stderrTail: 'No conversation found with session ID: 0',
        transcriptSeen: false,
      },
    });
    const fallback = await claimNext(cast.runner);
    expect(fallback.start.continuation).toEqual({ mode: 'transcript' });
    await play(cast.runner, fallback, silent());
    const again = await claimNext(cast.runner);
    expect(again.start.continuation).toMatchObject({
      mode: 'resume',
      parentCliSessionId: fallback.start.cliSessionId,
    });
    await play(cast.runner, again, { report: null, text: 'db is well.' });
    const { session } = await rows();
    expect(session).toMatchObject({ mechanism: 'transcript', isFallback: true });
    expect(await conversation.lastTurn()).toMatchObject({
      status: 'completed',
      start: { mode: 'transcript', isFallback: true },
    });
  });

  it('is continued as a first turn too, about which the page says that it was the first', async () => {
    const { conversationId } = await startConversation(cast.alice, {
      project: (await secondProject()).slug,
      message: 'Is mail well?',
      forceFresh: false,
    });
    const about = talkOf(cast, conversationId);
    await play(cast.runner, await claimNext(cast.runner), silent());
    await answerNext(cast.runner, 'mail is well.');
    expect(await about.lastTurn()).toMatchObject({
      answer: 'mail is well.',
      start: { mode: 'fresh', reason: 'FIRST_TURN' },
      continued: expect.stringContaining('continues once'),
    });
  });

  it('records the checks of the continuation with what they compared', async () => {
    await goSilent(command('ls /etc'));
    await claimNext(cast.runner);
    const decisions = await inTransaction(cast.alice, (db) =>
      db.decision.findMany({ where: { reason: 'OK_CONTINUE' } }),
    );
    expect(decisions).toHaveLength(1);
    expect(decisions[0]?.sentence).toBe(
      'Continues the conversation of turn 2 once, after it stalled.',
    );
    const [facts] = decisions.map((decision) => decision.facts as unknown as DecisionFacts);
    const compared = new Map(facts?.guards.map((guard) => [guard.id, guard.compared]));
    expect(compared.get('G5')).toMatchObject({ purpose: 'continue', outstandingCalls: 0 });
    expect(compared.get('G12')).toMatchObject({ sameAgent: true });
    expect(compared.get('G13')).toMatchObject({ hasContinued: false });
  });
});

/** The cast's project: a conversation of its own in it. */
async function secondProject() {
  await play(cast.runner, spec, { report: null, text: 'db is well.' });
  return { slug: cast.projectSlug };
}

describe('[ENG-5.5] a turn is not continued', () => {
  it('where a call is open: it ends as before', async () => {
    await goSilent([...command('ls /etc'), ...command('ls /srv', { isRunning: true })]);
    const { attempts, ends } = await rows();
    expect(attempts).toEqual([['ask', 'stalled']]);
    expect(ends).toEqual([['ended', 'STALLED']]);
    const turn = await conversation.lastTurn();
    expect(turn).toMatchObject({ status: 'failed', continued: null });
    expect(turn.statusText).toContain("Tools had run, so the turn isn't repeated automatically.");
  });

  it('where its transcript was never seen: without a call it starts again', async () => {
    const played = silent();
    await play(cast.runner, spec, {
      ...played,
      result: { ...played.result, transcriptSeen: false },
    });
    expect((await rows()).ends).toEqual([['again', 'RETRY_ONCE']]);
    const again = await claimNext(cast.runner);
    expect(again.start.prompt).toContain('And db?');
    // The second silence ends it, although this one could be continued.
    await play(cast.runner, again, silent());
    expect((await rows()).ends.at(-1)).toEqual(['ended', 'STALLED']);
  });

  it('on another host: the message is sent again, if no tool ran', async () => {
    await goSilent();
    const other = await secondRunner(cast);
    const id = await nextAttemptId(other);
    expect(await refusalOf(claimAttempt(other, id))).toBe('not_this_runner');
    await releaseFromHost(id);
    const again = await claimAttempt(other, id);
    expect(again.start.continuation).toEqual({ mode: 'transcript' });
    expect(again.start.prompt).toContain('And db?');
    const { attempts, starts } = await rows();
    expect(starts).toContainEqual(['refuse', 'UNREACHABLE']);
    expect(attempts.at(-1)?.[0]).toBe('ask');
    expect((await conversation.lastTurn()).continued).toMatch(
      /Couldn't continue turn 2: .* The message is sent again instead\.$/,
    );
    // A second silence ends it.
    await play(other, again, silent());
    expect((await rows()).attempts).toHaveLength(2);
    expect(await conversation.lastTurn()).toMatchObject({
      status: 'failed',
      statusText: expect.stringContaining('It was tried twice.'),
    });
  });

  it('on another host after a tool: it ends, and says why', async () => {
    await goSilent(command('ls /etc'));
    const other = await secondRunner(cast);
    const id = await nextAttemptId(other);
    await releaseFromHost(id);
    expect(await refusalOf(claimAttempt(other, id))).toBe('held_back');
    expect(await conversation.lastTurn()).toMatchObject({
      status: 'failed',
      statusText:
        "Couldn't continue turn 2: the runner that holds its conversation isn't available, and no sealed copy is kept. Tools had run, so the turn isn't repeated automatically.",
    });
  });

  it('where its copy on the host is gone and a tool ran before', async () => {
    await goSilent(command('ls /etc'));
    await play(cast.runner, await claimNext(cast.runner), {
      isSilent: true,
      result: {
        exit: { code: 1, signal: null },
        stderrTail: 'No conversation found with session ID: 0',
        transcriptSeen: false,
      },
    });
    expect((await rows()).ends.at(-1)).toEqual(['ended', 'RESUME_REJECTED']);
    expect(await conversation.lastTurn()).toMatchObject({ status: 'failed' });
  });
});

describe('[ENG-5.5] the cost of a turn that is continued', () => {
  /** Its totals include those of the conversation that it continues. */
  const cliVersion = '2.1.330';
  it('counts every process once, and none with what came before it', async () => {
    const [claude, ...others] = TEST_CAPABILITIES.harnesses;
    if (!claude) throw new Error('The test runner has no agent.');
    const capabilities = {
      ...TEST_CAPABILITIES,
      harnesses: [{ ...claude, version: cliVersion }, ...others],
    };
    await recordHeartbeat(cast.runner, { protocol: 1, capabilities, running: [] });
    await play(cast.runner, spec, silent(command('ls /etc'), { cliVersion }));
    const again = await claimNext(cast.runner);
    const played: Played = { report: null, text: 'db is well.', contextTokens: 21_000, cliVersion };
    const before = 21_000;
    const events = eventsOf(again, { ...played, costUsd: 0.5 }).map((event) => {
      if (event.kind !== 'result') return event;
      const totals = Object.entries(event.modelUsage).map(([model, usage]) => {
        return [model, { ...usage, inputTokens: usage.inputTokens + before }];
      });
      return { ...event, modelUsage: Object.fromEntries(totals) };
    });
    await send(cast.runner, again, events);
    const result = resultOf(again, events.length, played, new Date());
    await recordResult(cast.runner, again.attemptId, result);
    const worker = scopeOfSystem(cast.alice.organizationId);
    for (const { attemptId } of [spec, again, again]) await settleAttempt(worker, attemptId);

    const { ledger } = await rows();
    const own = ledger.map((line) => [line.attemptId, Number(line.inputTokens)]);
    expect(own).toEqual([
      // The request that was in flight is added.
      [spec.attemptId, expect.any(Number)],
      [again.attemptId, 21_000],
    ]);
    const { usage } = await conversation.lastTurn();
    const sum = ledger.reduce((total, line) => total + Number(line.costMicros), 0);
    expect(usage.costUsd).toBeCloseTo(sum / 1_000_000, 6);
    const usages = await inTransaction(cast.alice, (db) => db.dailyUsage.findMany({}));
    const day = usages.reduce((total, { costMicros }) => total + Number(costMicros), 0);
    // The first turn cost a cent.
    expect(day).toBe(sum + 10_000);
  });
});

describe('[ENG-5.5] a continuation starts like any other work', () => {
  it('not while the project is paused, and once it is resumed', async () => {
    await goSilent();
    await pauseProject(cast.alice, cast.projectSlug, { reason: '' });
    expect(await refusalOf(claimNext(cast.runner))).toBe('held_back');
    expect(await conversation.lastTurn()).toMatchObject({
      status: 'waiting',
      statusText: expect.stringContaining('The agent answers once it is resumed.'),
      continued: expect.stringContaining('continues once'),
    });
    await resumeProject(cast.alice, cast.projectSlug);
    expect((await claimNext(cast.runner)).start.prompt).toMatch(/^Continue/);
  });

  it('not over the budget, which the silent process counts for', async () => {
    await goSilent();
    await saveConfig(cast, { budgets: { dayUsd: 0.000_001, monthUsd: null, chainUsd: null } });
    expect(await refusalOf(claimNext(cast.runner))).toBe('held_back');
    expect(await conversation.lastTurn()).toMatchObject({ status: 'waiting' });
  });
});

describe('[ENG-5.5] a person who stops the turn wins', () => {
  const stop = async () =>
    stopTurn(cast.alice, conversation.id, (await conversation.lastTurn()).id);
  const stopped = async () => {
    const { attempts } = await rows();
    expect(attempts.every(([, end]) => end !== 'queued')).toBe(true);
    const { label } = cast.alice.actor;
    expect(await conversation.lastTurn()).toMatchObject({
      status: 'stopped',
      statusText: `Stopped by ${label}.`,
      stoppedBy: label,
    });
    return attempts;
  };

  it('before its continuation starts', async () => {
    await goSilent();
    await stop();
    expect(await stopped()).toEqual([
      ['ask', 'stalled'],
      ['continue', 'stopped'],
    ]);
  });

  it('while its silence is being reported', async () => {
    await stop();
    await goSilent();
    expect(await stopped()).toEqual([['ask', 'stalled']]);
  });

  it('while it is continued', async () => {
    await goSilent();
    const again = await claimNext(cast.runner);
    await stop();
    await play(cast.runner, again, silent());
    expect(await stopped()).toEqual([
      ['ask', 'stalled'],
      ['continue', 'stalled'],
    ]);
  });

  it('in the moment in which its silence is settled', async () => {
    const events = eventsOf(spec, silent());
    await send(cast.runner, spec, events);
    const result = resultOf(spec, events.length, silent(), new Date());
    await recordResult(cast.runner, spec.attemptId, result);
    const holder = new pg.Client({ connectionString: database.superuserUrl });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from attempt where id = $1 for update', [spec.attemptId]);
      // Both wait for the attempt, and the settlement comes first.
      const settled = settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId);
      await untilBlocked(holder);
      const stopping = stop();
      await untilBlocked(holder, 2);
      await holder.query('commit');
      await Promise.all([settled, stopping]);
    } finally {
      await holder.end();
    }
    expect(await stopped()).toEqual([
      ['ask', 'stalled'],
      ['continue', 'stopped'],
    ]);
  });

  it('by taking it out of the history', async () => {
    await goSilent();
    await cutTurn(cast.alice, conversation.id, (await conversation.lastTurn()).id);
    const { id } = await inTransaction(cast.alice, (db) =>
      db.session.findFirstOrThrow({ where: { id: spec.sessionId } }),
    );
    const left = await inTransaction(cast.alice, (db) =>
      db.attempt.count({ where: { sessionId: id, status: 'queued' } }),
    );
    expect(left).toBe(0);
  });
});

it('[ENG-5.5] the copy of a silent turn stays on its host until it has been continued', async () => {
  const forgotten = async (...specs: AttemptSpec[]) => {
    const cliSessionIds = specs.map(({ start }) => start.cliSessionId);
    return (await findSuperseded(cast.runner, { cliSessionIds })).superseded;
  };
  await goSilent();
  expect(await forgotten(conversation.first, spec)).toEqual([]);
  const again = await claimNext(cast.runner);
  expect(await forgotten(spec)).toEqual([]);
  await play(cast.runner, again, { report: null, text: 'db is well.' });
  expect(await forgotten(spec, again)).toEqual([spec.start.cliSessionId]);
});
