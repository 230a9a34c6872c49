/** Requests from spools to the control plane, and what their answers mean for them. */

import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { logger } from '@/lib/platform/logger';
import {
  type Directive,
  type EventsRequest,
  MAX_BODY_BYTES,
  MAX_EVENTS_PER_BATCH,
  PROTOCOL_VERSION,
} from '@/lib/protocol/schema';
import type { AttemptSpec } from '@/lib/protocol/spec';
import type { ControlPlane } from '../control-plane/client';
import { ControlPlaneError } from '../control-plane/failure';
import { namesIn } from '../files';
import type { AttemptRecord, AttemptSpool, SpooledEvent } from './attempt-spool';

const MIN_BATCH_BYTES = 64_000;
/** How long events wait for a result that is expected. */
export const RESULT_SOON_MS = 300;
/** Last events up to this size go with the result, which then needs no request before it. */
const REST_BYTES = 64_000;
/** A result that is still refused for missing events after this many times is refused for good. */
const MAX_REWINDS = 3;

export interface DeliveryOptions {
  controlPlane: Pick<ControlPlane, 'sendEvents' | 'sendResult'>;
  /** Where spools go that the control plane refuses for good. */
  refusedDir: string;
  onDirectives(directives: Directive[]): void;
  /** The result was taken. Called before the spool is removed, and again if that didn't happen. */
  onDelivered(record: AttemptRecord): void;
  /** The attempt is over for this runner: delivered, or refused for good. */
  onSettled(attemptId: string): void;
  /**
   * Reserves a slot for the next attempt and returns a function that releases it; null if none is
   * free.
   */
  keepSlot(): (() => void) | null;
  /** What follows, claimed with the result before it. */
  onClaimed(spec: AttemptSpec): void;
  /** An attempt that follows on one of these and waits for a runner like this one. */
  onNext(attemptId: string): void;
}

export interface Delivery {
  readonly spools: ReadonlyMap<string, AttemptSpool>;
  add(spool: AttemptSpool): void;
  /**
   * The agent has printed its result. Events of this attempt now wait up to `RESULT_SOON_MS` for the
   * attempt's result and are sent with it; a second call changes nothing. Both requests lock the attempt in the control plane, so a
   * separate one would delay the result, and with it the next tier.
   */
  expectResult(attemptId: string): void;
  /** Whether a result can go: its events are all stored, or few enough to go with it. */
  hasResults(): boolean;
  /** Whether there are events to send that go with no result. */
  hasEvents(): boolean;
  /** Whether a result waits for events that are too many to go with it. */
  isUrgent(): boolean;
  /** Sends the results that can go. @throws when none came through, or none was understood */
  sendResults(): Promise<void>;
  /** Resolves once no result is on its way whose answer may bring what follows. Never rejects. */
  answered(): Promise<void>;
  /** Of attempts whose result has to wait. True when a request was made. @throws as above. */
  sendEvents(): Promise<boolean>;
}

export function createDelivery(options: DeliveryOptions): Delivery {
  const { controlPlane, refusedDir } = options;
  const spools = new Map<string, AttemptSpool>();
  const rewinds = new Map<string, number>();
  /** By attempt, until when its events wait for its result, on the clock of `performance`. */
  const expected = new Map<string, number>();
  pruneRefused(refusedDir);
  let turn = 0;
  let answer: Promise<void> = Promise.resolve();
  let maxBytes = MAX_BATCH_BYTES;
  /** After a refusal attempts are sent one by one, until the refused one is found. */
  let aloneLeft = 0;

  const all = () => [...spools.values()];

  function settle(attemptId: string): void {
    spools.delete(attemptId);
    rewinds.delete(attemptId);
    expected.delete(attemptId);
    options.onSettled(attemptId);
  }

  function setAside(attemptId: string, why: string): void {
    const label = spools.get(attemptId)?.record.label;
    const said = 'report refused by the control plane; spool set aside';
    logger.error({ attemptId, label, why, kept: refusedDir }, said);
    spools.get(attemptId)?.setAside(refusedDir);
    pruneRefused(refusedDir);
    settle(attemptId);
  }

  function goesAlone(spool: AttemptSpool): boolean {
    const until = expected.get(spool.record.attemptId) ?? 0;
    const isExpected = spool.result === null && performance.now() < until;
    return !isExpected && restOf(spool) === null;
  }

  function nextRequest(): EventsRequest | null {
    const waiting = all().filter(goesAlone);
    const start = waiting.length === 0 ? 0 : turn % waiting.length;
    const from = aloneLeft > 0 ? waiting.slice(start, start + 1) : waiting;
    const request = nextEventsRequest(from, { turn, maxBytes });
    turn += 1;
    aloneLeft = Math.max(0, aloneLeft - 1);
    return request;
  }

  async function sendEvents(): Promise<boolean> {
    const request = nextRequest();
    if (!request) return false;
    try {
      const answer = await controlPlane.sendEvents(request);
      take(request, new Map(answer.acknowledged.map(({ attemptId, seq }) => [attemptId, seq])));
      options.onDirectives(answer.directives);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.status === 413 && maxBytes > MIN_BATCH_BYTES) maxBytes /= 2;
      else if (request.batches.length > 1) aloneLeft = spools.size;
      else for (const { attemptId } of request.batches) setAside(attemptId, error.message);
    }
    return true;
  }

  function take(request: EventsRequest, acknowledged: ReadonlyMap<string, number>): void {
    let isStuck = true;
    for (const { attemptId } of request.batches) {
      const seq = acknowledged.get(attemptId);
      const spool = spools.get(attemptId);
      if (spool && seq === spool.ackedSeq) continue;
      isStuck = false;
      // Its result was delivered in the meantime, and its events with it.
      if (!spool) continue;
      if (seq === undefined) setAside(attemptId, 'the attempt no longer belongs to this runner');
      else spool.acknowledge(seq);
    }
    if (isStuck) throw new ControlPlaneError('events were accepted but none was stored', null);
  }

  async function sendResults(): Promise<void> {
    for (const spool of all()) {
      const rest = restOf(spool);
      if (rest === null) continue;
      const sending = sendResult(spool, rest);
      answer = sending.catch(() => {});
      await sending;
    }
  }

  async function sendResult(spool: AttemptSpool, events: SpooledEvent[]): Promise<void> {
    const { attemptId, label } = spool.record;
    if (!spool.result) return;
    const giveSlotBack = options.keepSlot();
    try {
      const claimsNext = giveSlotBack !== null;
      const result = { ...spool.result, lastSeq: spool.lastSeq, events, claimsNext };
      const { decides, nextAttemptId, next } = await controlPlane.sendResult(attemptId, result);
      if (next !== null) options.onClaimed(next);
      else if (nextAttemptId !== null) options.onNext(nextAttemptId);
      // What follows starts first.
      await setImmediate();
      logger.info({ attemptId, label, decides }, 'result delivered');
      options.onDelivered(spool.record);
      spool.remove();
      settle(attemptId);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const times = rewinds.get(attemptId) ?? 0;
      if (error.status !== 409 || times >= MAX_REWINDS) return setAside(attemptId, error.message);
      // It has lost events that it had acknowledged, as after a restore: it is asked how far it got.
      rewinds.set(attemptId, times + 1);
      spool.rewind();
    } finally {
      giveSlotBack?.();
    }
  }

  return {
    spools,
    hasResults: () => all().some((spool) => restOf(spool) !== null),
    hasEvents: () => all().some((spool) => spool.ackedSeq < spool.lastSeq && goesAlone(spool)),
    isUrgent: () => all().some((spool) => spool.result !== null && restOf(spool) === null),
    add: (spool) => void spools.set(spool.record.attemptId, spool),
    expectResult(attemptId) {
      // Once: an agent that prints results again and again must not hold its events back for good.
      if (!spools.has(attemptId) || expected.has(attemptId)) return;
      expected.set(attemptId, performance.now() + RESULT_SOON_MS);
    },
    answered: () => answer,
    sendEvents,
    sendResults,
  };
}

/** What goes with the result of an attempt; null while it runs, or has more to tell than that. */
function restOf(spool: AttemptSpool): SpooledEvent[] | null {
  return spool.result === null ? null : spool.rest(REST_BYTES);
}

/** A rejected key may be replaced; anything else that was rejected stays rejected. */
function isRefusal(error: unknown): error is ControlPlaneError {
  return error instanceof ControlPlaneError && !error.isRetryable && !error.isUnauthorized;
}

/** Time enough for a person to look at what the control plane did not take. */
const KEPT_DAYS = 30;

/** Removes what was set aside long ago; the folder need not exist. */
export function pruneRefused(refusedDir: string, now = new Date()): void {
  const before = now.getTime() - KEPT_DAYS * 86_400_000;
  for (const name of namesIn(refusedDir)) {
    const folder = path.join(refusedDir, name);
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat && stat.ctimeMs < before) rmSync(folder, { recursive: true, force: true });
  }
}

const MAX_BATCH_BYTES = MAX_BODY_BYTES / 2;
const MAX_ATTEMPTS_PER_BATCH = 200;

/**
 * One request with events of as many attempts as fit. `turn` says with which attempt it begins,
 * so that one talkative attempt does not keep the others waiting. Null when there are none.
 */
function nextEventsRequest(
  spools: AttemptSpool[],
  options: { turn: number; maxBytes: number },
): EventsRequest | null {
  const batches: EventsRequest['batches'] = [];
  let bytesLeft = options.maxBytes;
  let eventsLeft = MAX_EVENTS_PER_BATCH;
  for (let step = 0; step < spools.length; step += 1) {
    const spool = spools[(options.turn + step) % spools.length];
    if (!spool) continue;
    if (bytesLeft <= 0 || eventsLeft === 0 || batches.length === MAX_ATTEMPTS_PER_BATCH) break;
    const events = spool.pending(bytesLeft, eventsLeft);
    if (events.length === 0) continue;
    const { attemptId, fence } = spool.record;
    batches.push({ attemptId, fence, events });
    bytesLeft -= Buffer.byteLength(JSON.stringify(events));
    eventsLeft -= events.length;
  }
  return batches.length === 0 ? null : { protocol: PROTOCOL_VERSION, batches };
}
