/** A deleted conversation leaves what it cost, and no word of what was said. */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { deleteConversation, renameConversation } from '@/lib/conversations/manage-conversations';
import {
  findTurnPlace,
  getConversation,
  getTurn,
  listConversations,
  listTurns,
} from '@/lib/conversations/read-conversations';
import { askTurn, cutTurn, stopTurn } from '@/lib/conversations/turns';
import { settleAttempt, settleLostAttempt } from '@/lib/engine/settle';
import { findSuperseded } from '@/lib/engine/superseded';
import { recordResult } from '@/lib/engine/take-result';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { checkAudit, listAudit } from '@/lib/identity/audit/read-audit';
import { writeAuditAnchors } from '@/lib/identity/audit/write-anchors';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { TokenScope } from '@/lib/identity/token-scopes';
import { getChain } from '@/lib/insight/chains/get-chain';
import { listSessions } from '@/lib/insight/sessions/list-sessions';
import { ask } from '@/lib/operations/turns';
import { NotFoundError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { LEASE_SECONDS } from '@/lib/protocol/schema';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import {
  claimNext,
  eventsOf,
  type Played,
  play,
  resultOf,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { command, send, startOne } from '../engine/support/running';
import { type Talk, talk } from './support/asking';
import { untilBlocked } from './support/blocked';
import { asked, closes, SERVICE, storedEvents } from './support/questioning';

const database = useTestDatabase();
/** In everything that people and agents say in a test, and in no other one. */
let word: string;
let cast: Cast;
beforeEach(async () => {
  word = `xylophone-${randomUUID()}`;
  cast = await makeCast();
});

const said = (): Played => ({
  text: `The ${word} is well.`,
  costUsd: 0.02,
  events: [
    { kind: 'text', messageId: 'm-1', text: `I look at the ${word}.`, parentToolUseId: null },
    ...command(`docker restart web # ${word}`),
  ],
});

/** The tables in which the word stands. */
async function tablesWithWord(): Promise<string[]> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema', 'partitions')`,
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const query = `select 1 from ${name} t where to_jsonb(t)::text like '%${word}%' limit 1`;
      if ((await client.query(query)).rowCount) found.push(name.replace(/^public\./, ''));
    }
    return found.sort();
  } finally {
    await client.end();
  }
}

/** What the sessions that worked out turns come to, newest first. */
async function askSessions() {
  const of = { project: cast.projectSlug, kind: 'ask' as const, limit: 10 };
  return (await listSessions(cast.alice, of)).data;
}

const ERASED = { statusText: 'Deleted with its conversation.' };

describe('a conversation that is deleted', () => {
  it('is gone everywhere, and neither is a word of it', async () => {
    const conversation = await talk(cast, `Is the ${word} well?`, {}, said().events);
    await renameConversation(cast.alice, conversation.id, { title: `About the ${word}` });
    await conversation.ask(`And what else of the ${word}?`, {}, said());
    const [first, last] = await conversation.turns();
    expect(await tablesWithWord()).toEqual([
      'attempt',
      'conversation',
      'cooldown_action',
      'session_event',
      'turn',
    ]);
    await deleteConversation(cast.alice, conversation.id);
    expect(await tablesWithWord()).toEqual([]);

    const message = 'And now?';
    const { id } = conversation;
    const attempts = [
      () => getConversation(cast.alice, id),
      () => listTurns(cast.alice, id, { withCut: true }),
      () => getTurn(cast.alice, id, first?.id ?? ''),
      () => stopTurn(cast.alice, id, last?.id ?? ''),
      () => askTurn(cast.alice, id, { message, forceFresh: false }),
      () => deleteConversation(cast.alice, id),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(NotFoundError);
    const place = { project: cast.projectSlug, number: first?.session.number ?? 0 };
    expect(await findTurnPlace(cast.alice, place)).toBeNull();
    const { data } = await listConversations(cast.alice, { limit: 10 });
    expect(data).toEqual([]);
  });

  it('leaves what it cost, in sessions without a page', async () => {
    const conversation = await talk(cast, 'Is it well?');
    await conversation.ask('And now?', {}, said());
    const before = await askSessions();
    expect(before.map(({ costUsd }) => costUsd)).toEqual([0.02, 0.01]);
    await deleteConversation(cast.alice, conversation.id);
    expect(await askSessions()).toEqual(
      before.map((session) => ({ ...session, conversation: null, ...ERASED })),
    );
  });

  it('is in the audit log with who deleted it, and the log stays whole', async () => {
    const { id } = await talk(cast);
    await deleteConversation(cast.alice, id);
    const { data } = await listAudit(cast.alice, { limit: 1 });
    expect(data).toMatchObject([
      {
        action: 'conversation.deleted',
        target: id,
        actorLabel: cast.alice.actor.label,
        detail: { turns: 1 },
      },
    ]);
    await writeAuditAnchors();
    expect(await checkAudit(cast.alice)).toMatchObject({ isIntact: true });
  });

  it('leaves the chain that it was about as it was', async () => {
    const chainRef = encodeId('chn', await startOne(cast));
    await play(cast.runner, await claimNext(cast.runner), {
      events: [{ kind: 'text', messageId: 'm', text: `The ${word}.`, parentToolUseId: null }],
    });
    const before = await getChain(cast.alice, chainRef);
    const { id } = await talk(cast, 'Why?', { chain: chainRef });
    await deleteConversation(cast.alice, id);
    expect(await getChain(cast.alice, chainRef)).toEqual(before);
    expect(await tablesWithWord()).toEqual(['session_event']);
  });

  it('is not told again by a request that is repeated', async () => {
    const { id } = await talk(cast);
    const scopes: TokenScope[] = ['conversations:read', 'conversations:write'];
    const { token } = await createApiToken(cast.alice, { name: 't', scopes, expiresInDays: 1 });
    const askOn = async () => {
      const response = await ask.handler(
        new Request(`http://tierwatch.test/api/v1/conversations/${id}/turns`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': 'once',
          },
          body: JSON.stringify({ message: `And the ${word}?` }),
        }),
        { params: Promise.resolve({ conversationId: id }) },
      );
      return { status: response.status, text: await response.text() };
    };
    expect((await askOn()).text).toContain(word);
    await play(cast.runner, await claimNext(cast.runner), { report: null, text: 'Well.' });
    expect((await askOn()).text).toContain(word);
    await deleteConversation(cast.alice, id);
    expect(await askOn()).toMatchObject({ status: 404, text: expect.not.stringContaining(word) });
  });

  it('waits for who is writing of its turns, and erases what they wrote', async () => {
    const { id, first } = await talk(cast);
    const writer = new pg.Client({ connectionString: database.superuserUrl });
    await writer.connect();
    try {
      await writer.query('begin');
      await writer.query('select 1 from attempt where id = $1 for update', [first.attemptId]);
      const deletion = deleteConversation(cast.alice, id);
      await untilBlocked(writer);
      await writer.query(
        `insert into session_event (organization_id, session_id, seq, kind, at, payload)
         select organization_id, session_id, 1000, 'text', now(), $2 from attempt where id = $1`,
        [first.attemptId, JSON.stringify({ kind: 'text', text: word })],
      );
      await writer.query('commit');
      await deletion;
    } finally {
      await writer.end();
    }
    expect(await tablesWithWord()).toEqual([]);
  });

  it('is no longer kept on its host', async () => {
    const { id, first } = await talk(cast);
    const { cliSessionId } = first.start;
    const asked = () => findSuperseded(cast.runner, { cliSessionIds: [cliSessionId] });
    expect(await asked()).toEqual({ superseded: [] });
    await deleteConversation(cast.alice, id);
    expect(await asked()).toEqual({ superseded: [cliSessionId] });
  });
});

describe('a conversation with a turn that runs', () => {
  let conversation: Talk;
  let spec: AttemptSpec;
  beforeEach(async () => {
    conversation = await talk(cast);
    await askTurn(cast.alice, conversation.id, { message: `The ${word}?`, forceFresh: false });
    spec = await claimNext(cast.runner);
  });

  it('is not deleted: the refusal names the turn', async () => {
    const { id } = await conversation.lastTurn();
    await expect(deleteConversation(cast.alice, conversation.id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'The agent is still answering. Stop it, or wait until it has ended.',
      details: { turnId: id },
    });
    expect(await conversation.turns()).toHaveLength(2);
  });

  it('is not deleted while one that was taken out is stopped', async () => {
    const { id } = await conversation.lastTurn();
    await cutTurn(cast.alice, conversation.id, id);
    await expect(deleteConversation(cast.alice, conversation.id)).rejects.toMatchObject({
      message: 'A removed turn is still being stopped. Wait until it has ended.',
      details: { turnId: id },
    });
  });

  it('books a result that comes after, and keeps none of its words', async () => {
    const events = eventsOf(spec, { report: null, ...said() });
    const [begun, rest] = [events.slice(0, -1), events.slice(-1)];
    await send(cast.runner, spec, begun);
    const later = new Date(Date.now() + (LEASE_SECONDS + 1) * 1_000);
    await settleLostAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId, later);
    await deleteConversation(cast.alice, conversation.id);
    await send(cast.runner, spec, rest);
    const result = resultOf(spec, begun.length + rest.length, {}, new Date());
    const told = { ...result, stderrTail: `No ${word} here.` };
    await recordResult(cast.runner, spec.attemptId, told);
    await settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId);
    expect((await askSessions()).map(({ costUsd }) => costUsd)).toEqual([0.02, 0.01]);
    expect(await tablesWithWord()).toEqual([]);
  });

  it('keeps no word of events that come after, whether or not a result follows', async () => {
    const events = eventsOf(spec, { report: null, ...said() });
    await send(cast.runner, spec, events.slice(0, -1));
    const later = new Date(Date.now() + (LEASE_SECONDS + 1) * 1_000);
    await settleLostAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId, later);
    await deleteConversation(cast.alice, conversation.id);
    await send(cast.runner, spec, [...(said().events ?? []), ...events.slice(-1)]);
    expect(await tablesWithWord()).toEqual([]);
  });
});

it('a question of the agent and its answer go with their conversation', async () => {
  const turn = await asked(cast);
  await turn.answer([{ question: SERVICE.question, answer: `the ${word}` }]);
  await send(cast.runner, turn.spec, [closes('answered')]);
  const [last] = eventsOf(turn.spec, { report: null, ...said() }).slice(-1);
  await send(cast.runner, turn.spec, last ? [last] : []);
  const seq = await storedEvents(cast, turn.spec);
  await recordResult(cast.runner, turn.spec.attemptId, resultOf(turn.spec, seq, {}, new Date()));
  await settleAttempt(scopeOfSystem(cast.alice.organizationId), turn.spec.attemptId);
  expect(await tablesWithWord()).toContain('question');
  await deleteConversation(cast.alice, turn.id);
  expect(await tablesWithWord()).toEqual([]);
});
