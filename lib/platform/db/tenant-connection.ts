import type pg from 'pg';
import { logger } from '../logger';

type Send = (statement: pg.QueryConfig) => Promise<pg.QueryResult>;

interface Failure {
  error: unknown;
}

/**
 * The connection of one transaction, for statements that don't need Prisma, which takes several
 * times as long as PostgreSQL for each. A statement is sent at once, behind those that are still
 * being carried out. It refuses statements once the transaction ends, because the connection then
 * goes to another tenant.
 */
export class TenantConnection {
  #send: Send | null;
  readonly #unanswered = new Set<Promise<unknown>>();
  readonly #lastWrites: (() => Promise<unknown>)[] = [];
  readonly #afterCommit: (() => unknown)[] = [];
  #failedQuery: Failure | null = null;
  #failedWrite: Failure | null = null;

  constructor(send: Send) {
    this.#send = send;
  }

  query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (!this.#send) return Promise.reject(hasEnded());
    const answer = this.#send(statement);
    this.#expect(answer, (failure) => {
      this.#failedQuery ??= failure;
    });
    return answer;
  }

  /** Takes a write whose answer nobody waits for before `answered`. */
  expectWrite(write: Promise<unknown>): void {
    this.#expect(write, (failure) => {
      this.#failedWrite ??= failure;
    });
  }

  /** Takes a write that is sent after all others, right before the commit. */
  expectLast(write: () => Promise<unknown>): void {
    this.#lastWrites.push(write);
  }

  /** Takes what is called once the transaction is committed, and never if it isn't. */
  expectCommit(work: () => unknown): void {
    this.#afterCommit.push(work);
  }

  /** Calls what waits for the commit. A failure of it changes nothing that is committed. */
  committed(): void {
    for (const work of this.#afterCommit.splice(0)) {
      void (async () => work())().catch((error: unknown) =>
        logger.warn({ error: String(error) }, 'work after a commit failed'),
      );
    }
  }

  #expect(answer: Promise<unknown>, onFailure: (failure: Failure) => void): void {
    const noted = answer
      .catch((error: unknown) => onFailure({ error }))
      .finally(() => this.#unanswered.delete(noted));
    this.#unanswered.add(noted);
  }

  /**
   * Sends the last writes, and waits for all answers.
   *
   * @throws the error of the first query that failed, also if its caller continued: PostgreSQL answers
   *   the commit of a failed transaction with a rollback, and reports no error
   */
  async complete(): Promise<void> {
    for (const write of this.#lastWrites.splice(0)) this.expectWrite(write());
    await this.#answered();
    const failure = this.#failedWrite ?? this.#failedQuery;
    if (failure) throw failure.error;
  }

  /**
   * Waits for all answers. Returns what made the transaction fail: a write that nobody waited for, or
   * else `error`. After a failed write PostgreSQL refuses every later statement.
   */
  async causeOf(error: unknown): Promise<unknown> {
    await this.#answered();
    return this.#failedWrite ? this.#failedWrite.error : error;
  }

  async #answered(): Promise<void> {
    while (this.#unanswered.size > 0) await Promise.all(this.#unanswered);
  }

  close(): void {
    this.#send = null;
  }
}

/** The error of a query that comes after its transaction. */
export function hasEnded(): Error {
  return new Error('The transaction has ended.');
}
