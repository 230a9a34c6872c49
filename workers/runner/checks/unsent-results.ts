/** Results of checks that the control plane doesn't have yet. Pure: whoever sends them gives the time. */
import {
  type CheckResultsResponse,
  MAX_CHECK_RESULTS,
  MAX_RESULT_AGE_MS,
  type PlanResult,
} from '@/lib/protocol/monitoring';
import { ControlPlaneError } from '../control-plane/failure';

/** `hadAt` by performance.now(), in milliseconds, as every time here. */
export type UnsentResult = Omit<PlanResult, 'agoMs'> & { hadAt: number };

/** As many as 80 checks a second find until they are too old. */
const MAX_UNSENT = 50_000;
/** After that, results that the control plane couldn't store are sent again. */
const HOLD_MS = 5_000;
/** A control plane that is slow isn't sent less than this at once: fewer would never catch up. */
const MIN_BATCH = 20;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

export class UnsentResults {
  /** By project, each oldest first; the project whose turn is next comes first. */
  readonly #results = new Map<string, UnsentResult[]>();
  readonly #heldUntil = new Map<string, number>();
  /** How many are sent at once. */
  #batch = MAX_CHECK_RESULTS;
  #failures = 0;
  #pausedUntil = 0;

  get count(): number {
    return [...this.#results.values()].reduce((sum, { length }) => sum + length, 0);
  }

  add(result: UnsentResult): void {
    const own = this.#results.get(result.projectId) ?? [];
    own.push(result);
    this.#results.set(result.projectId, own);
    if (this.count <= MAX_UNSENT) return;
    const [longest] = [...this.#results.values()].toSorted(
      (one, other) => other.length - one.length,
    );
    longest?.shift();
  }

  /**
   * Returns what to send now: the oldest results of each project in turn, so that one with many doesn't keep
   * those of others back. Those that are too old are dropped.
   */
  next(now: number): UnsentResult[] {
    this.#expire(now);
    if (now < this.#pausedUntil) return [];
    const ready = [...this.#results].filter(([id]) => (this.#heldUntil.get(id) ?? 0) <= now);
    const chosen: UnsentResult[] = [];
    const longest = Math.max(0, ...ready.map(([, own]) => own.length));
    for (let at = 0; at < longest && chosen.length < this.#batch; at += 1) {
      const row = ready.flatMap(([, own]) => own[at] ?? []);
      chosen.push(...row.slice(0, this.#batch - chosen.length));
    }
    return chosen;
  }

  #expire(now: number): void {
    for (const [id, own] of this.#results) {
      const kept = own.filter(({ hadAt }) => hadAt > now - MAX_RESULT_AGE_MS);
      if (kept.length > 0) this.#results.set(id, kept);
      else this.#results.delete(id);
    }
    for (const [id, until] of this.#heldUntil) if (until <= now) this.#heldUntil.delete(id);
  }

  /** The next request begins with the next project. */
  #rotate(): void {
    const [first] = this.#results;
    if (!first) return;
    this.#results.delete(first[0]);
    this.#results.set(...first);
  }

  /** Takes the answer to results: those that couldn't be stored are sent again later. */
  answered(
    sent: readonly UnsentResult[],
    { notStored }: Pick<CheckResultsResponse, 'notStored'>,
    now: number,
  ): void {
    for (const id of notStored) this.#heldUntil.set(id, now + HOLD_MS);
    this.#forget(sent.filter(({ projectId }) => !notStored.includes(projectId)));
    this.#batch = Math.min(MAX_CHECK_RESULTS, this.#batch * 2);
    this.#failures = 0;
    this.#rotate();
  }

  /**
   * Takes a request without an answer. The next one is smaller, and comes after a pause that is no shorter than
   * this one took: the control plane may still be at work on it. A request that was refused as such is halved
   * until only what it refuses is left, which is dropped.
   */
  failed(sent: readonly UnsentResult[], error: unknown, startedAt: number, now: number): void {
    const half = Math.ceil(sent.length / 2);
    if (isUnacceptable(error)) {
      this.#batch = half;
      if (sent.length === 1) this.#forget(sent);
      return;
    }
    this.#batch = Math.min(this.#batch, Math.max(MIN_BATCH, half));
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#pausedUntil = now + Math.max(pause, now - startedAt);
    this.#rotate();
  }

  #forget(results: readonly UnsentResult[]): void {
    const gone = new Set(results);
    for (const [id, own] of this.#results) {
      const left = own.filter((result) => !gone.has(result));
      if (left.length > 0) this.#results.set(id, left);
      else this.#results.delete(id);
    }
  }
}

function isUnacceptable(error: unknown): boolean {
  return error instanceof ControlPlaneError && [400, 413, 422].includes(error.status ?? 0);
}
