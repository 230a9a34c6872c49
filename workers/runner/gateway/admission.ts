/**
 * Lets the requests of an attempt go one after the other, few at once, and each only with a part of the
 * budget that is its own: what they have cost and what is reserved never exceeds the budget together.
 */
import type { PriceTable } from '@/lib/agents/prices';
import { isLongAnswer, type PricedRequest, planReservation, type Reservation } from './reservation';

export interface AdmissionOptions {
  prices: PriceTable;
  /** US dollars for all requests together; null: no limit. */
  budgetUsd: number | null;
  /** Requests that are on their way at the same time. */
  maxAtOnce: number;
  /** How long a request waits for others. */
  waitMs: number;
}

/** A request that may be forwarded. */
export interface Admitted {
  /** Tokens that its answer may have. */
  maxTokens: number;
  /** What it has cost so far, in US dollars. */
  spentUsd: number;
  /** It is over; `spentUsd` is what it has cost. */
  release(): void;
}

export type AdmissionResult =
  | { kind: 'admitted'; admitted: Admitted }
  /** The budget doesn't pay for it, even if it is alone. */
  | { kind: 'unaffordable' }
  /** Others took too long. */
  | { kind: 'busy' }
  /** Whoever sent it has gone. */
  | { kind: 'gone' };

export interface Admission {
  /**
   * @param countTokens what the provider counts as the input; null if it doesn't say. Asked only where
   *   the estimate is too much for the budget.
   */
  admit(
    request: PricedRequest,
    countTokens: () => Promise<number | null>,
    gone: AbortSignal,
  ): Promise<AdmissionResult>;
  /** US dollars that ended requests and those on their way have cost. */
  spentUsd(): number;
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { budgetUsd, maxAtOnce, prices } = options;
  const running = new Set<{ reservedUsd: number; admitted: Admitted }>();
  const waiting = new Set<() => void>();
  let endedUsd = 0;
  let last: Promise<unknown> = Promise.resolve();

  function plan(request: PricedRequest): Reservation {
    if (running.size >= maxAtOnce) return { kind: 'wait' };
    if (budgetUsd === null) return { kind: 'granted', maxTokens: request.maxTokens, usd: 0 };
    const taken = [...running].map((each) => Math.max(each.reservedUsd, each.admitted.spentUsd));
    const leftUsd = taken.reduce((left, usd) => left - usd, budgetUsd - endedUsd);
    return planReservation(prices, request, leftUsd, running.size === 0);
  }

  function admitted(maxTokens: number, reservedUsd: number): Admitted {
    const entry = {
      reservedUsd,
      admitted: {
        maxTokens,
        spentUsd: 0,
        release() {
          if (!running.delete(entry)) return;
          endedUsd += entry.admitted.spentUsd;
          for (const wake of waiting) wake();
        },
      },
    };
    running.add(entry);
    return entry.admitted;
  }

  /** Resolves once another request is over. @returns false if that took too long */
  function othersEnded(until: number, gone: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (isInTime: boolean) => {
        clearTimeout(timer);
        waiting.delete(wake);
        gone.removeEventListener('abort', wake);
        resolve(isInTime);
      };
      const wake = () => done(true);
      const timer = setTimeout(() => done(false), Math.max(0, until - performance.now()));
      waiting.add(wake);
      gone.addEventListener('abort', wake);
    });
  }

  async function decide(
    estimated: PricedRequest,
    countTokens: () => Promise<number | null>,
    gone: AbortSignal,
    until: number,
  ): Promise<AdmissionResult> {
    let request = estimated;
    let isCounted = budgetUsd === null;
    while (!gone.aborted) {
      const planned = plan(request);
      if (!isCounted && running.size < maxAtOnce && !isLongAnswer(planned, request)) {
        isCounted = true;
        const counted = await countTokens();
        request = { ...request, inputTokens: countedTokens(counted) ?? request.inputTokens };
      } else if (planned.kind === 'granted') {
        return { kind: 'admitted', admitted: admitted(planned.maxTokens, planned.usd) };
      } else if (planned.kind === 'refused') {
        return { kind: 'unaffordable' };
      } else if (!(await othersEnded(until, gone))) {
        return { kind: 'busy' };
      }
    }
    return { kind: 'gone' };
  }

  return {
    admit(request, countTokens, gone) {
      const until = performance.now() + options.waitMs;
      // In the order in which they came, so that a large one isn't overtaken for ever.
      const result = last.then(() => decide(request, countTokens, gone, until));
      last = result.catch(() => {});
      return result;
    },
    spentUsd: () =>
      [...running].reduce((sum, { admitted: { spentUsd } }) => sum + spentUsd, endedUsd),
  };
}

/** The provider calls its count an estimate. */
const COUNT_MARGIN = 1.05;

function countedTokens(counted: number | null): number | null {
  return counted === null ? null : Math.ceil(counted * COUNT_MARGIN);
}
