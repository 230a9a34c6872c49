/**
 * Sends what the spools of all attempts hold, by one stream of requests: one is in flight at a
 * time. The first event of a quiet spell goes at once, later ones are collected for up to 100 ms,
 * and an attempt's result waits for nothing but its own events.
 */
import { logger } from '@/lib/logger';
import type { Directive } from '@/lib/runner-protocol/schema';
import { type Bell, createBell } from '../bell';
import { backoffMs } from '../control-plane/backoff';
import type { ControlPlane } from '../control-plane/client';
import { ControlPlaneError } from '../control-plane/failure';
import type { AttemptSpool } from './attempt-spool';
import { MAX_BATCH_BYTES, nextEventsRequest } from './event-batches';

const COLLECT_MS = 100;
const RETRY = { firstMs: 250, maxMs: 5_000 };
const MIN_BATCH_BYTES = 64_000;

export interface Uploader {
  add(spool: AttemptSpool): void;
  /** Says that a spool has something new. */
  ring(): void;
  /** Resolves once everything was acknowledged, or after `timeoutMs`. */
  drained(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface UploaderOptions {
  controlPlane: Pick<ControlPlane, 'sendEvents' | 'sendResult'>;
  /** Where spools go that the control plane refuses for good. */
  refusedDir: string;
  onDirectives(directives: Directive[]): void;
  /** The attempt is over for this runner: delivered, or refused for good. */
  onSettled(attemptId: string): void;
}

export function startUploader(options: UploaderOptions): Uploader {
  const spools = new Map<string, AttemptSpool>();
  const work: Bell = createBell();
  const settled: Bell = createBell();
  let isClosed = false;
  let failures = 0;
  let lastSentAt = 0;
  let turn = 0;
  let maxBytes = MAX_BATCH_BYTES;
  /** After a refusal attempts are sent one by one, until the refused one is found. */
  let aloneLeft = 0;

  const all = () => [...spools.values()];
  const isReady = (spool: AttemptSpool) => spool.result !== null && spool.ackedSeq >= spool.lastSeq;
  const hasWork = () => all().some((spool) => isReady(spool) || spool.ackedSeq < spool.lastSeq);
  const isUrgent = () => all().some((spool) => spool.result !== null);

  function settle(spool: AttemptSpool): void {
    spools.delete(spool.record.attemptId);
    options.onSettled(spool.record.attemptId);
    settled.ring();
  }

  function refuse(spool: AttemptSpool, error: ControlPlaneError): void {
    const { attemptId, label } = spool.record;
    logger.error(
      { attemptId, label, error: error.message, kept: options.refusedDir },
      'the control plane refuses what this attempt reports; it is set aside',
    );
    spool.setAside(options.refusedDir);
    settle(spool);
  }

  /** True when a request was made. */
  async function sendEvents(): Promise<boolean> {
    const candidates = all();
    const from =
      aloneLeft > 0 ? candidates.slice(turn % candidates.length).slice(0, 1) : candidates;
    const request = nextEventsRequest(from, { turn, maxBytes });
    turn += 1;
    if (aloneLeft > 0) aloneLeft -= 1;
    if (!request) return false;
    lastSentAt = Date.now();
    try {
      const answer = await options.controlPlane.sendEvents(request);
      let hasProgress = false;
      for (const { attemptId, seq } of answer.acknowledged) {
        const spool = spools.get(attemptId);
        if (!spool) continue;
        hasProgress ||= seq !== spool.ackedSeq;
        spool.acknowledge(seq);
      }
      options.onDirectives(answer.directives);
      if (!hasProgress) throw new ControlPlaneError('events were taken but none was stored', null);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.status === 413 && maxBytes > MIN_BATCH_BYTES) maxBytes /= 2;
      else if (request.batches.length > 1) aloneLeft = spools.size;
      else for (const { attemptId } of request.batches) refuseById(attemptId, error);
    }
    return true;
  }

  function refuseById(attemptId: string, error: ControlPlaneError): void {
    const spool = spools.get(attemptId);
    if (spool) refuse(spool, error);
  }

  async function sendResults(): Promise<boolean> {
    const ready = all().filter(isReady);
    for (const spool of ready) {
      if (!spool.result) continue;
      const { attemptId } = spool.record;
      const result = { ...spool.result, lastSeq: spool.lastSeq };
      try {
        const { decides } = await options.controlPlane.sendResult(attemptId, result);
        logger.info({ attemptId, label: spool.record.label, decides }, 'result delivered');
        spool.remove();
        settle(spool);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refuse(spool, error);
      }
    }
    return ready.length > 0;
  }

  /** Collects for a moment, unless an attempt has ended: the next tier waits for its result. */
  async function collect(): Promise<void> {
    while (!isClosed && !isUrgent()) {
      const left = lastSentAt + COLLECT_MS - Date.now();
      if (left <= 0) return;
      await work.rung(left);
    }
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      if (!hasWork()) {
        await work.rung();
        continue;
      }
      await collect();
      try {
        const hasSentEvents = await sendEvents();
        const hasSentResults = await sendResults();
        // A spool whose file somebody has cut short says that it has events, and gives none.
        if (!hasSentEvents && !hasSentResults) await pause(COLLECT_MS);
        if (failures > 0) logger.info('the control plane takes events again');
        failures = 0;
      } catch (error) {
        if (failures === 0) logger.warn({ error: String(error) }, 'events wait on disk');
        await pause(backoffMs(failures, RETRY, Math.random()));
        failures += 1;
      }
    }
  }

  /** Rings do not shorten it: an event is no reason to believe that the control plane is back. */
  async function pause(delayMs: number): Promise<void> {
    const until = Date.now() + delayMs;
    while (!isClosed && Date.now() < until) await work.rung(until - Date.now());
  }

  const running = run();

  return {
    add(spool) {
      spools.set(spool.record.attemptId, spool);
      work.ring();
    },
    ring: () => work.ring(),
    async drained(timeoutMs) {
      const until = Date.now() + timeoutMs;
      while (spools.size > 0 && Date.now() < until) await settled.rung(until - Date.now());
    },
    async close() {
      isClosed = true;
      work.ring();
      await running;
    },
  };
}

/** A key that is not taken may be mended; what was refused otherwise stays refused. */
function isRefusal(error: unknown): error is ControlPlaneError {
  return error instanceof ControlPlaneError && !error.isRetryable && !error.isUnauthorized;
}
