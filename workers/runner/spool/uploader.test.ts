import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AttemptResult, EventsRequest, ResultRequest } from '@/lib/protocol/schema';
import { type AttemptRecord, openAttemptSpool } from './attempt-spool';
import { startUploader, type Uploader } from './uploader';

let dir = '';
let uploader: Uploader;
let eventRequests: EventsRequest[];
let results: ResultRequest[];
/** Answers the requests with events that are in flight. */
let answerEvents: () => void;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'tw-uploader-'));
  eventRequests = [];
  results = [];
  answerEvents = () => {};
  uploader = startUploader({
    controlPlane: {
      sendEvents(request) {
        eventRequests.push(request);
        const acknowledged = request.batches.map(({ attemptId, events }) => ({
          attemptId,
          seq: events.at(-1)?.seq ?? 0,
        }));
        return new Promise((resolve) => {
          answerEvents = () => resolve({ acknowledged, directives: [] });
        });
      },
      async sendResult(_attemptId, result) {
        results.push(result);
        return { decides: true, nextAttemptId: null, next: null };
      },
    },
    refusedDir: path.join(dir, 'refused'),
    onDirectives: () => {},
    onDelivered: () => {},
    onSettled: () => {},
    keepSlot: () => null,
    onClaimed: () => {},
    onNext: () => {},
  });
});

afterEach(async () => {
  const closing = uploader.close();
  answerEvents();
  await closing;
  rmSync(dir, { recursive: true, force: true });
});

function spoolOf(attemptId: string) {
  const record = { attemptId, label: attemptId } as AttemptRecord;
  return openAttemptSpool({ folder: mkdtempSync(path.join(dir, 'spool-')), record });
}

const RESULT = { protocol: 1, fence: 1 } as AttemptResult;
const notice = (message: string) => ({ kind: 'notice', level: 'info', code: 'X', message });

it('[FLT-6.2] a result waits for no request with events, and takes what is not acknowledged', async () => {
  const spool = spoolOf('one');
  uploader.add(spool);
  spool.append(notice('first'));
  uploader.wake();
  await vi.waitFor(() => expect(eventRequests).toHaveLength(1));
  spool.append(notice('second'));
  spool.setResult(RESULT);
  uploader.wake();
  await vi.waitFor(() => expect(results).toHaveLength(1));
  expect(results[0]?.lastSeq).toBe(2);
  expect(results[0]?.events.map(({ seq }) => seq)).toEqual([1, 2]);
  // The answer of the first comes when the spool is gone, and changes nothing.
  answerEvents();
  await uploader.drained(1_000);
  expect(eventRequests).toHaveLength(1);
});

it('events that are too many for a result go before it', async () => {
  const spool = spoolOf('large');
  for (let count = 0; count < 10; count += 1) spool.append(notice('x'.repeat(10_000)));
  spool.setResult(RESULT);
  uploader.add(spool);
  await vi.waitFor(() => expect(eventRequests).toHaveLength(1));
  expect(results).toEqual([]);
  answerEvents();
  await vi.waitFor(() => expect(results).toHaveLength(1));
  expect(results[0]).toMatchObject({ lastSeq: 10, events: [] });
});

it('[FLT-6.2] once the agent has printed its result, its events are sent with the attempt’s result', async () => {
  const spool = spoolOf('one');
  uploader.add(spool);
  spool.append(notice('agent result'));
  uploader.expectResult('one');
  uploader.wake();
  const other = spoolOf('other');
  other.append(notice('of another attempt'));
  uploader.add(other);
  await vi.waitFor(() => expect(eventRequests).toHaveLength(1));
  expect(eventRequests[0]?.batches.map(({ attemptId }) => attemptId)).toEqual(['other']);
  answerEvents();
  spool.setResult(RESULT);
  uploader.wake();
  await vi.waitFor(() => expect(results).toHaveLength(1));
  expect(results[0]?.events).toHaveLength(1);
  expect(eventRequests).toHaveLength(1);
});

it('events of an agent that keeps running after its result are sent on their own', async () => {
  const spool = spoolOf('one');
  uploader.add(spool);
  spool.append(notice('agent result'));
  uploader.expectResult('one');
  const again = setInterval(() => uploader.expectResult('one'), 20);
  try {
    await vi.waitFor(() => expect(eventRequests).toHaveLength(1));
  } finally {
    clearInterval(again);
  }
  expect(results).toEqual([]);
});
