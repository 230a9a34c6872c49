/** An answer while it is written: who reads it sees it grow, and nothing of it is kept twice. */

import { createParser } from 'eventsource-parser';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askTurn } from '@/lib/conversations/turns';
import { withPiece } from '@/lib/engine/events/pieces';
import type { AnswerPiece, UnfinishedAnswer } from '@/lib/engine/events/unfinished';
import { recordEvents } from '@/lib/engine/record-events';
import { settleAttempt, settleLostAttempt } from '@/lib/engine/settle';
import { recordResult } from '@/lib/engine/take-result';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { followEvents, getUnfinishedAnswer, listEvents } from '@/lib/insight/sessions/events';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { eventText } from '@/lib/insight/sessions/write-log';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, eventsOf, type Played, resultOf } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { send } from '../engine/support/running';
import { type Talk, talk } from './support/asking';

useTestDatabase();
let cast: Cast;
let conversation: Talk;
let spec: AttemptSpec;
let sessionId: string;
let closing: AbortController;

beforeEach(async () => {
  closing = new AbortController();
  cast = await makeCast();
  conversation = await talk(cast);
  await askTurn(cast.alice, conversation.id, { message: 'And db?', forceFresh: false });
  spec = await claimNext(cast.runner);
  sessionId = (await conversation.lastTurn()).session.id;
  const begun = eventsOf(spec, { report: null }).slice(0, 4);
  await send(cast.runner, spec, begun);
});
afterEach(() => closing.abort());

const part = (text: string, messageId = 'm1'): RunnerEvent => ({
  kind: 'answer_part',
  messageId,
  text,
});
const whole = (text: string, messageId = 'm1'): RunnerEvent => ({
  kind: 'text',
  messageId,
  text,
  parentToolUseId: null,
});
const tell = (...events: RunnerEvent[]) => send(cast.runner, spec, events);
const read = () => listEvents(cast.alice, sessionId, { limit: 1_000 });
const kindsOf = (events: readonly SessionEventDto[]) => events.map(({ kind }) => kind);

async function end(played: Played): Promise<void> {
  const events = eventsOf(spec, { report: null, ...played }).slice(4);
  await send(cast.runner, spec, events);
  const attempt = await inTransaction(cast.alice, (db) =>
    db.attempt.findFirstOrThrow({ where: { id: spec.attemptId } }),
  );
  const result = resultOf(spec, attempt.ackedSeq, played, new Date());
  await recordResult(cast.runner, spec.attemptId, result);
  await settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId);
}

/** What somebody sees who follows the session. */
async function follow() {
  const seen: { events: SessionEventDto[]; pieces: AnswerPiece[]; ended: boolean } = {
    events: [],
    pieces: [],
    ended: false,
  };
  const response = await followEvents(cast.alice, sessionId, {
    after: 0,
    signal: closing.signal,
    isStillAllowed: async () => true,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => {
      if (event === 'message') seen.events.push(JSON.parse(data));
      if (event === 'answer_part') seen.pieces.push(JSON.parse(data));
      if (event === 'end') seen.ended = true;
    },
  });
  void (async () => {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return;
      parser.feed(chunk.value);
    }
  })();
  const written = () => seen.pieces.reduce<UnfinishedAnswer | null>(withPiece, null)?.text ?? null;
  const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 });
  return { seen, written, until };
}

describe('an answer that is being written', () => {
  it('[CNV-1.1] grows for who follows, before it is an event, and is one event when it is whole', async () => {
    const { seen, written, until } = await follow();
    await until(() => expect(seen.events.length).toBeGreaterThan(3));
    await tell(part('db '));
    await until(() => expect(written()).toBe('db '));
    await tell(part('is '), part('well, '));
    await until(() => expect(written()).toBe('db is well, '));
    expect(kindsOf(seen.events)).not.toContain('text');
    await tell(whole('db is well, I think.'));
    await until(() => expect(kindsOf(seen.events)).toContain('text'));
    const { events, writing } = await read();
    expect(writing).toBeNull();
    expect(kindsOf(events)).not.toContain('answer_part');
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    await end({ text: 'db is well, I think.' });
    await until(() => expect(seen.ended).toBe(true));
    expect(seen.pieces.map(({ from }) => from)).toEqual([0, 3]);
    expect((await conversation.lastTurn()).answer).toBe('db is well, I think.');
    expect(kindsOf((await read()).events)).not.toContain('answer_part');
  });

  it('is there for a page that is opened in the middle of it, once', async () => {
    await tell(part('db is '), part('well '));
    expect((await read()).writing).toEqual({ messageId: 'm1', text: 'db is well ' });
    const { seen, written, until } = await follow();
    await until(() => expect(written()).toBe('db is well '));
    await tell(whole('db is well.'), part('More ', 'm2'));
    await until(() => expect(written()).toBe('More '));
    expect(seen.pieces.at(-1)).toEqual({ messageId: 'm2', from: 0, text: 'More ' });
  });

  it('comes once, however often the runner sends it', async () => {
    const [attempt] = await inTransaction(cast.alice, (db) =>
      db.attempt.findMany({ where: { id: spec.attemptId } }),
    );
    const numbered = { seq: (attempt?.ackedSeq ?? 0) + 1, at: new Date().toISOString() };
    const batch = { attemptId: spec.attemptId, fence: spec.fence };
    for (let time = 0; time < 3; time += 1) {
      await recordEvents(cast.runner, [
        { ...batch, events: [{ ...numbered, event: part('db ') }] },
      ]);
    }
    expect((await read()).writing?.text).toBe('db ');
  });

  it.each<[string, Played, string]>([
    ['a stop', { isSilent: true, result: { stopCause: 'operator' } }, 'stopped'],
    ['a crash', { isSilent: true, result: { exit: { code: null, signal: 'SIGSEGV' } } }, 'failed'],
    ['its time', { isSilent: true, result: { stopCause: 'timed_out' } }, 'timed_out'],
  ])('stays readable where %s ended it', async (_how, played, status) => {
    // A tool ran, so that the turn is not begun once more.
    const call = { toolUseId: 't1', tool: 'Bash', input: { command: 'uptime' } };
    await tell(
      { kind: 'tool_call', messageId: 'm0', parentToolUseId: null, ...call },
      part('db is '),
      part('not '),
    );
    const { seen, until } = await follow();
    await end(played);
    expect(await conversation.lastTurn()).toMatchObject({ status, answer: null });
    const { events, writing } = await read();
    expect(writing).toBeNull();
    const kept = events.filter(({ kind }) => kind === 'answer_part');
    expect(kept.map(({ payload }) => payload)).toEqual([
      { kind: 'answer_part', messageId: 'm1', text: 'db is not ' },
    ]);
    expect(kept.map(eventText).join('')).toContain('answer_part db is not');
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    expect(await getUnfinishedAnswer(cast.alice, sessionId)).toBe('db is not ');
    await until(() => expect(seen.ended).toBe(true));
    expect(kindsOf(seen.events)).toContain('answer_part');
  });

  it('stays readable where the CLI said at its end what it had, and not where a call followed', async () => {
    await tell(part('db is '), whole('db is '));
    await end({ isSilent: true, result: { stopCause: 'operator' } });
    expect(kindsOf((await read()).events)).not.toContain('answer_part');
    expect(await getUnfinishedAnswer(cast.alice, sessionId)).toBe('db is ');

    await askTurn(cast.alice, conversation.id, { message: 'And now?', forceFresh: false });
    spec = await claimNext(cast.runner);
    sessionId = (await conversation.lastTurn()).session.id;
    const call = { toolUseId: 't1', tool: 'Bash', input: { command: 'uptime' } };
    await tell(whole('I look.'), {
      kind: 'tool_call',
      messageId: 'm1',
      parentToolUseId: null,
      ...call,
    });
    await end({ isSilent: true, result: { stopCause: 'operator' } });
    expect(await getUnfinishedAnswer(cast.alice, sessionId)).toBeNull();
  });

  it('stays readable where its runner was lost; late pieces change nothing, a late text is all of it', async () => {
    await tell(part('db is '));
    const worker = scopeOfSystem(cast.alice.organizationId);
    await settleLostAttempt(worker, spec.attemptId, new Date(Date.now() + 3_600_000));
    expect(await getUnfinishedAnswer(cast.alice, sessionId)).toBe('db is ');
    await tell(part('well '), whole('db is well.'));
    expect(await getUnfinishedAnswer(cast.alice, sessionId)).toBe('db is well.');
    const { events, writing } = await read();
    expect(writing).toBeNull();
    expect(kindsOf(events).filter((kind) => kind === 'answer_part')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ kind: 'text', isLate: true });
  });

  it('is not part of what the next agent reads', async () => {
    await tell(part('db is not '));
    await end({ isSilent: true, result: { stopCause: 'operator' } });
    const next = await conversation.ask('And now?');
    expect(next.start.prompt).not.toContain('db is not');
  });
});
