/**
 * Where the control plane's part of a hop goes: from a tier's result to the claim of the next tier,
 * in one process without HTTP. The rest of a hop is the runner's.
 */

import pg from 'pg';
import { startChain } from '@/lib/engine/chains/start-chain';
import { recordEvents } from '@/lib/engine/record-events';
import { takeResult } from '@/lib/engine/take-result';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext, eventsOf, resultOf, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { inMs, isFull, printResult, quantile, spread } from './support/figures';
import { withScratchDatabase } from './support/scratch-database';

const HOPS = isFull ? 60 : 20;
const WARM_UP = 5;

interface Statement {
  connection: object;
  text: string;
  sentAt: number;
  answeredAt: number;
}

/** Every statement from now on, in the order in which it was sent. */
function watchStatements(): Statement[] {
  const statements: Statement[] = [];
  const send: unknown = pg.Client.prototype.query;
  Reflect.set(pg.Client.prototype, 'query', function query(this: pg.Client, ...args: unknown[]) {
    const sentAt = performance.now();
    const statement = { connection: this, text: textOf(args[0]), sentAt, answeredAt: sentAt };
    statements.push(statement);
    const answer: unknown = Reflect.apply(send as typeof this.query, this, args);
    if (!(answer instanceof Promise)) return answer;
    return answer.finally(() => {
      statement.answeredAt = performance.now();
    });
  });
  return statements;
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const text = typeof query === 'object' && query !== null ? Reflect.get(query, 'text') : '';
  return typeof text === 'string' ? text : '';
}

/** Statements of the tenant's transactions, in their order; others run beside the hop. */
function transactionsOf(statements: readonly Statement[]): Statement[][] {
  return statements.flatMap(({ connection, text }, index) => {
    if (!text.startsWith('BEGIN; SET LOCAL')) return [];
    const own = statements.slice(index).filter((each) => each.connection === connection);
    return [own.slice(0, own.findIndex((each) => each.text === 'COMMIT') + 1)];
  });
}

interface Span {
  statements: number;
  /** From its BEGIN to the answer to its COMMIT. */
  totalMs: number;
  /** In which no statement was being carried out. */
  idleMs: number;
}

function spanOf(own: readonly Statement[]): Span {
  const beganAt = own[0]?.sentAt ?? 0;
  let answeredAt = beganAt;
  let idleMs = 0;
  for (const statement of own) {
    idleMs += Math.max(0, statement.sentAt - answeredAt);
    answeredAt = Math.max(answeredAt, statement.answeredAt);
  }
  return { statements: own.length, totalMs: answeredAt - beganAt, idleMs };
}

async function hop(watched: Statement[]): Promise<{ totalMs: number; spans: Span[] }> {
  const cast = await makeCast();
  await startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' });
  const now = new Date();
  const spec = await claimNext(cast.runner, now);
  const played = { report: wantsHelp() };
  const events = eventsOf(spec, played).map((event, index) => {
    return { seq: index + 1, at: now.toISOString(), event };
  });
  const { attemptId, fence } = spec;
  await recordEvents(cast.runner, [{ attemptId, fence, events: events.slice(0, -1) }], now);
  watched.length = 0;
  const beganAt = performance.now();
  const result = resultOf(spec, events.length, played, now);
  const last = { events: events.slice(-1), claimsNext: true };
  const { next } = await takeResult(cast.runner, attemptId, { ...result, ...last }, now);
  const totalMs = performance.now() - beganAt;
  if (!next) throw new Error('The next tier was not claimed with the result.');
  const spans = transactionsOf(watched).map(spanOf);
  return { totalMs, spans };
}

await withScratchDatabase({ isThrowaway: false }, async () => {
  const watched = watchStatements();
  for (let count = 0; count < WARM_UP; count += 1) await hop(watched);
  const hops: Awaited<ReturnType<typeof hop>>[] = [];
  for (let count = 0; count < HOPS; count += 1) hops.push(await hop(watched));
  const span = (place: number) => {
    const own = hops.flatMap(({ spans }) => spans[place] ?? []);
    const middle = (figure: (each: Span) => number) => quantile(own.map(figure), 0.5);
    const idle = inMs(middle(({ idleMs }) => idleMs));
    return `${middle(({ statements }) => statements)} statements, ${spread(own.map(({ totalMs }) => totalMs))}, of which ${idle} outside PostgreSQL`;
  };
  printResult({
    title: 'A tier’s result → the next tier is claimed',
    target: 'informational: the control plane’s share of a hop',
    figures: {
      'the request without HTTP': spread(hops.map(({ totalMs }) => totalMs)),
      'transaction for events, settlement and claim': span(0),
    },
  });
});
