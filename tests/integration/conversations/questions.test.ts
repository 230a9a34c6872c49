/** What the agent asks in the middle of a turn, and what becomes of it. */

import { beforeEach, describe, expect, it } from 'vitest';
import { getConversation } from '@/lib/conversations/read-conversations';
import { stopTurn } from '@/lib/conversations/turns';
import { answerQuestion } from '@/lib/engine/kinds/turn/questions';
import { recordEvents } from '@/lib/engine/record-events';
import { settleAttempt } from '@/lib/engine/settle';
import { recordResult } from '@/lib/engine/take-result';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { eventsOf, type Played, resultOf } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { listenAsRunner, send } from '../engine/support/running';
import {
  ANSWER_WEB,
  type Asked,
  asked,
  asks,
  closes,
  REQUEST_ID,
  SERVICE,
  SINCE,
  storedEvents,
} from './support/questioning';

useTestDatabase();
let cast: Cast;
let turn: Asked;
beforeEach(async () => {
  cast = await makeCast();
  turn = await asked(cast);
});

const told = (...events: Parameters<typeof send>[2]) => send(cast.runner, turn.spec, events);

/** The process ends, with these last words or without any. */
async function ends(played: Played): Promise<void> {
  const { spec } = turn;
  const last = eventsOf(spec, { report: null, ...played }).slice(-1);
  if (!played.isSilent) await told(...last);
  const seq = await storedEvents(cast, spec);
  await recordResult(cast.runner, spec.attemptId, resultOf(spec, seq, played, new Date()));
  await settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId);
}

const answerDirective = () => ({
  kind: 'answer',
  attemptId: turn.spec.attemptId,
  requestId: REQUEST_ID,
  answers: { [SERVICE.question]: 'web' },
});

describe('a question of the agent', () => {
  it('[CNV-4.3] is open with its choices, and the turn continues', async () => {
    expect(await turn.question()).toMatchObject({
      status: 'open',
      questions: [SERVICE],
      answers: null,
      answeredBy: null,
    });
    expect(await turn.lastTurn()).toMatchObject({ status: 'running', endedAt: null });
    expect(await turn.directives()).toEqual([]);
  });

  it('is what the conversation waits for, until it is answered', async () => {
    const phase = async () => (await getConversation(cast.alice, turn.id)).phase;
    expect(await phase()).toBe('asking');
    await turn.answer();
    expect(await phase()).toBe('answering');
    await told(closes('answered'));
    await ends({ text: 'web is well.' });
    expect(await phase()).toBe('idle');
  });

  it('is waited for no more while the turn is stopped', async () => {
    await stopTurn(cast.alice, turn.id, turn.turnId);
    expect(await turn.question()).toMatchObject({ status: 'open' });
    expect((await getConversation(cast.alice, turn.id)).phase).toBe('answering');
  });

  it('[CNV-4.3] is stored once, however often its events arrive', async () => {
    const { attemptId, fence } = turn.spec;
    const seq = await storedEvents(cast, turn.spec);
    const at = new Date().toISOString();
    const batch = { attemptId, fence, events: [{ seq, at, event: asks() }] };
    await recordEvents(cast.runner, [batch, batch]);
    // Under another number too, as of a runner that has lost count.
    await told(asks());
    expect(await turn.question()).toMatchObject({ status: 'open' });
  });

  it('[CNV-4.3] stands beside another one of the same turn', async () => {
    await told(asks('request-2', [SINCE]));
    const { questions } = await turn.lastTurn();
    expect(questions.map((each) => each.questions[0]?.header)).toEqual(['Service', 'Since']);
  });

  it('[CNV-4.3] that nobody answers expires, and can no longer be answered', async () => {
    await told(closes('expired'));
    expect(await turn.question()).toMatchObject({ status: 'expired', answers: null });
    await expect(turn.answer()).rejects.toMatchObject({
      code: 'conflict',
      message: 'The agent no longer waits for this answer. Send it as a message.',
    });
    expect(await turn.directives()).toEqual([]);
  });

  it.each<[string, Played]>([
    ['with words', { text: 'I continued without it.' }],
    ['in a failure', { isSilent: true, result: { exit: { code: 1, signal: null } } }],
  ])('[CNV-4.3] ends with its process, %s', async (_how, played) => {
    await ends(played);
    expect(await turn.question()).toMatchObject({ status: 'cancelled', answers: null });
    await expect(turn.answer()).rejects.toMatchObject({ code: 'conflict' });
  });

  it('[CNV-4.3] is not stored under a fencing number that is over', async () => {
    await inTransaction(cast.alice, async (db) => {
      await db.attempt.updateMany({ where: { id: turn.spec.attemptId }, data: { fence: 7 } });
    });
    await told(asks('request-2'));
    expect((await turn.lastTurn()).questions).toHaveLength(1);
  });
});

describe('an answer', () => {
  it('[CNV-4.3] wakes the runner, and is told until the process has it', async () => {
    const runner = await listenAsRunner(cast.runner);
    await turn.answer();
    await runner.isWoken();
    expect(await turn.question()).toMatchObject({
      status: 'answered',
      answers: { [SERVICE.question]: 'web' },
      answeredBy: cast.alice.actor.label,
    });
    expect(await turn.directives()).toEqual([answerDirective()]);
    expect(await turn.directives()).toEqual([answerDirective()]);
    await told(closes('answered'));
    expect(await turn.directives()).toEqual([]);
    expect(await turn.question()).toMatchObject({ status: 'answered' });
  });

  it('[CNV-4.2] is given once: the second one is told who was first', async () => {
    await turn.answer();
    const other = [{ question: SERVICE.question, answer: 'db' }];
    await expect(turn.answer(other)).rejects.toMatchObject({
      code: 'conflict',
      message: `${cast.alice.actor.label} has answered this already.`,
    });
    expect((await turn.question()).answers).toEqual({ [SERVICE.question]: 'web' });
  });

  it('[CNV-4.2] of two people at once is one', async () => {
    const outcomes = await Promise.allSettled(
      ['web', 'db'].map((answer) => turn.answer([{ question: SERVICE.question, answer }])),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await turn.directives()).toHaveLength(1);
  });

  it('[CNV-4.3] may be in a person’s own words, and holds no secret', async () => {
    const token = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB';
    await turn.answer([{ question: SERVICE.question, answer: `the cache, by ${token}` }]);
    const answer = (await turn.question()).answers?.[SERVICE.question];
    expect(answer).toContain('the cache, by [redacted');
    expect(JSON.stringify(await turn.directives())).not.toContain(token);
  });

  it('[CNV-4.3] is told no more once the turn is stopped', async () => {
    await turn.answer();
    await stopTurn(cast.alice, turn.id, turn.turnId);
    expect(await turn.directives()).toEqual([
      { kind: 'stop', attemptId: turn.spec.attemptId, reason: 'operator' },
    ]);
  });

  it('[CNV-4.3] is in the audit log, without its words', async () => {
    await turn.answer();
    const rows = await inTransaction(cast.alice, (db) =>
      db.auditLog.findMany({ where: { action: 'conversation.answered' } }),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ detail: { position: 2 } });
  });

  it('[CNV-4.3] of a stranger finds nothing', async () => {
    const charlie = await makeCast();
    const { id: questionId } = await turn.question();
    const tries: [TenantScope, string, string][] = [
      [charlie.alice, turn.id, turn.turnId],
      // In another turn of the same conversation.
      [cast.alice, turn.id, (await turn.turns())[0]?.id ?? ''],
    ];
    for (const [scope, id, turnId] of tries) {
      const given = answerQuestion(scope, id, turnId, { questionId, answers: ANSWER_WEB });
      await expect(given).rejects.toMatchObject({ code: 'not_found' });
    }
    expect((await turn.question()).status).toBe('open');
  });
});

describe('[CNV-4.3] answers fit what was asked', () => {
  const web = { question: SERVICE.question, answer: 'web' };
  const since = { question: SINCE.question, answer: 'noon' };

  it.each<[string, (typeof web)[]]>([
    ['none', []],
    ['a part left out', [web]],
    ['a part twice', [web, web]],
    ['a part that was not asked', [web, since, { question: 'Why?', answer: 'because' }]],
    ['another one in its place', [web, { question: 'Why?', answer: 'because' }]],
  ])('%s is refused', async (_what, answers) => {
    turn = await asked(await anew(), [SERVICE, SINCE]);
    await expect(turn.answer(answers, cast.alice)).rejects.toMatchObject({
      code: 'invalid',
      message: `Answer each of these once: ${SERVICE.question} · ${SINCE.question}`,
    });
    expect((await turn.question()).status).toBe('open');
  });

  it('each part once, in any order, is taken', async () => {
    turn = await asked(await anew(), [SERVICE, SINCE]);
    await turn.answer([since, web], cast.alice);
    expect((await turn.question()).answers).toEqual({
      'Since when?': 'noon',
      [web.question]: 'web',
    });
  });

  async function anew(): Promise<Cast> {
    cast = await makeCast();
    return cast;
  }
});

describe('[CNV-1.3] a transcript', () => {
  const promptAfter = async () => (await turn.ask('And now?', { forceFresh: true })).start.prompt;

  it('leaves out a question that was answered, and keeps the decision', async () => {
    await turn.answer();
    await told(closes('answered'));
    await ends({ text: 'web is well.' });
    const prompt = await promptAfter();
    expect(prompt).not.toContain(SERVICE.question);
    expect(prompt).not.toContain('the data');
    expect(prompt).toContain(
      'Is it well?\nOperator decided (Service): web\n[Agent claude]\nweb is',
    );
  });

  it('keeps the decision also where the process ended before it had the answer', async () => {
    await turn.answer();
    await ends({ isSilent: true, result: { exit: { code: 1, signal: null } } });
    expect(await turn.lastTurn()).toMatchObject({ status: 'failed', answer: null });
    expect(await promptAfter()).toContain('Operator decided (Service): web');
  });

  it('knows of no decision where nobody answered', async () => {
    await told(closes('expired'));
    await ends({ text: 'I continued.' });
    const prompt = await promptAfter();
    expect(prompt).not.toContain(SERVICE.question);
    expect(prompt).not.toContain('decided');
  });
});
