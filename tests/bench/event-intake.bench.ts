/**
 * Events of many attempts, through the runner API's own route: from the bytes of a request to rows.
 * In one process without a socket, so a web process that serves pages as well stores less.
 */

import { events as POST } from '@/app/api/runner/v1/attempt-routes';
import { startChain } from '@/lib/engine/chains/start-chain';
import type { RunnerEvent } from '@/lib/protocol/events';
import { type EventsRequest, PROTOCOL_VERSION } from '@/lib/protocol/schema';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext } from '@/tests/support/cast/scripted-attempt';
import { isFull, printResult } from './support/figures';
import { withScratchDatabase } from './support/scratch-database';

const RUNNERS = 8;
const REQUESTS = isFull ? 100 : 25;
const EVENTS_A_REQUEST = 500;

interface Running {
  cast: Cast;
  attemptId: string;
  fence: number;
}

async function startAttempt(): Promise<Running> {
  const cast = await makeCast();
  await startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' });
  const { attemptId, fence } = await claimNext(cast.runner);
  return { cast, attemptId, fence };
}

/** What an agent that looks at a service prints, in turns: a call, its result, a sentence. */
function eventAt(place: number): RunnerEvent {
  const toolUseId = `toolu_01${String(place - (place % 3)).padStart(20, '0')}`;
  const messageId = `msg_01${String(place).padStart(20, '0')}`;
  const parentToolUseId = null;
  if (place % 3 === 0) {
    const input = { command: 'systemctl status web --no-pager', description: 'Look at web' };
    return { kind: 'tool_call', messageId, toolUseId, tool: 'Read', input, parentToolUseId };
  }
  if (place % 3 === 1) {
    const content =
      'web.service - Web\n  Active: active (running) since Mon\n  Main PID: 812 (node)';
    const rest = { stdout: null, stderr: null, exitCode: 0, cutBytes: 0 };
    return { kind: 'tool_result', toolUseId, isError: false, denied: false, content, ...rest };
  }
  const text = 'The web service has been running since Monday. Next I look at the database.';
  return { kind: 'text', messageId, text, parentToolUseId };
}

function bodyOf({ attemptId, fence }: Running, request: number): string {
  const at = new Date().toISOString();
  const first = request * EVENTS_A_REQUEST;
  const events = Array.from({ length: EVENTS_A_REQUEST }, (_, n) => ({
    seq: first + n + 1,
    at,
    event: eventAt(first + n),
  }));
  const body: EventsRequest = {
    protocol: PROTOCOL_VERSION,
    batches: [{ attemptId, fence, events }],
  };
  return JSON.stringify(body);
}

async function send({ cast }: Running, body: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${cast.runnerKey}`,
    'content-type': 'application/json',
  };
  const request = new Request('http://bench.test/api/runner/v1/events', {
    method: 'POST',
    headers,
    body,
  });
  const response = await POST(request, { params: Promise.resolve({}) });
  if (!response.ok) throw new Error(await response.text());
}

await withScratchDatabase({ isThrowaway: false }, async (superuser) => {
  const running: Running[] = [];
  for (let count = 0; count < RUNNERS; count += 1) running.push(await startAttempt());
  const bodies = running.map((one) =>
    Array.from({ length: REQUESTS }, (_, request) => bodyOf(one, request)),
  );
  const beganAt = performance.now();
  // Like runners: each sends its next request when the one before was answered.
  await Promise.all(
    running.map(async (one, index) => {
      for (const body of bodies[index] ?? []) await send(one, body);
    }),
  );
  const seconds = (performance.now() - beganAt) / 1_000;
  const { rows } = await superuser.query<{ stored: string; places: string }>(
    `select count(*) as stored, count(distinct (attempt_id, attempt_seq)) as places
      from session_event where attempt_seq is not null`,
  );
  const expected = RUNNERS * REQUESTS * EVENTS_A_REQUEST;
  const isExact = Number(rows[0]?.stored) === expected && Number(rows[0]?.places) === expected;
  const perSecond = Math.round(expected / seconds);
  printResult({
    title: `Events of ${RUNNERS} runners stored, request to row`,
    target: 'each once, 20,000 a second',
    figures: {
      'sent and stored': `${expected}${isExact ? '' : ' (wrong)'}`,
      'stored a second': `${perSecond.toLocaleString('en-US')} (${perSecond >= 20_000 ? 'met' : 'not met'})`,
    },
  });
});
