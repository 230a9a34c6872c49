/**
 * The runner API over real HTTP, for tests of the runner alone. It parses with the schemas of the
 * protocol, numbers events as the real one does, and can be away.
 *
 *     const plane = await startFakeControlPlane();
 *     plane.queue(attemptSpec());
 *     await plane.until(() => plane.attempt(id).results.length === 1);
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecalledCheckpoint } from '@/lib/protocol/checkpoint';
import {
  type AuthorizeCommandRequest,
  type AuthorizeCommandResponse,
  authorizeCommandRequestSchema,
} from '@/lib/protocol/commands';
import {
  type CheckPlan,
  checkResultsRequestSchema,
  type PlanResult,
} from '@/lib/protocol/monitoring';
import {
  type Directive,
  enrolRequestSchema,
  eventsRequestSchema,
  type HeartbeatRequest,
  heartbeatRequestSchema,
  MAX_BODY_BYTES,
  resultRequestSchema,
  supersededRequestSchema,
} from '@/lib/protocol/schema';
import { SEAL_BYTES_HEADER, SEAL_SHA256_HEADER, sealRefusalSchema } from '@/lib/protocol/seal';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type StoredAttempt, storedAttempt } from './attempt-store';

export const RUNNER_KEY = 'twr_key-of-the-runner-in-tests';

export interface FakeControlPlane {
  url: string;
  /** Lets a runner take it. */
  queue(spec: AttemptSpec): void;
  /**
   * Lets `spec` follow on an attempt: its result's answer names it, or brings it, as asked for.
   * Enqueued first, its job arrives before that answer.
   */
  follow(attemptId: string, spec: AttemptSpec, options?: { isRungFirst: boolean }): void;
  /** FollowUp for an attempt again; its claim is answered like the first time. */
  ringAgain(attemptId: string): void;
  /** Ids that were claimed by a request of their own. */
  claims: string[];
  attempt(attemptId: string): StoredAttempt;
  /** Directives go to the held request, or to the next one. */
  direct(directive: Directive): void;
  /** While away it breaks every connection. */
  setAway(isAway: boolean): void;
  /** Answers a claim, or null for the usual answer. */
  onClaim(answer: (attemptId: string) => { status: number; code: string } | null): void;
  /** Refuses requests with events of this attempt. */
  refuseEventsOf(attemptId: string): void;
  /** No longer accepts events of this attempt, as of one that was deleted. */
  disown(attemptId: string): void;
  heartbeats: HeartbeatRequest[];
  /** What sessions before have kept, as the tool `recall_checkpoints` reads it. */
  kept: RecalledCheckpoint[];
  /** Conversations that can no longer be continued; null: it does not have this call. */
  superseded: string[] | null;
  /** Compressed conversations by attempt: what runners sent, and what they are given. */
  seals: Map<string, SentSeal>;
  /** Commands that a runner wants to start, and the answer to each. */
  commands: AuthorizeCommandRequest[];
  commandAnswer(command: AuthorizeCommandRequest): AuthorizeCommandResponse;
  /** Why a runner sent none, by attempt. */
  sealRefusals: Map<string, string>;
  /** How many more requests about conversations are answered with 503. */
  sealOutages: number;
  /** Everything a runner has ever sent, as text. */
  bodies: string[];
  isDraining: boolean;
  /** What the runner is to check without an agent; null: nothing. */
  checkPlan: CheckPlan | null;
  /** What it has found. */
  checkResults: PlanResult[];
  /** Another process holds the runner's key. */
  isKeyInUse: boolean;
  /** Waits for a condition; looks again after each request. */
  until(condition: () => boolean, what?: string, withinMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** A compressed conversation, with what its headers say about the file. */
interface SentSeal {
  packed: Buffer;
  bytes: number;
  sha256: string;
}

const HOLD_MS = 2_000;
const RUNG_BEFORE_MS = 200;
const UNTIL_MS = 40_000;

export async function startFakeControlPlane(): Promise<FakeControlPlane> {
  const attempts = new Map<string, StoredAttempt>();
  const waitingIds: string[] = [];
  const directives: Directive[] = [];
  const heartbeats: HeartbeatRequest[] = [];
  const bodies: string[] = [];
  const kept: RecalledCheckpoint[] = [];
  const followers = new Map<string, string>();
  const claims: string[] = [];
  const rungAgain = new Set<string>();
  const rungFirst = new Set<string>();
  const refused = new Set<string>();
  const disowned = new Set<string>();
  const watchers = new Set<() => void>();
  let isAway = false;
  let refuseClaim: (attemptId: string) => { status: number; code: string } | null = () => null;

  const changed = () => {
    for (const look of [...watchers]) look();
  };

  function until(
    condition: () => boolean,
    what = 'the condition',
    withinMs = UNTIL_MS,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        finish();
        reject(new Error(`Waited in vain for ${what}.`));
      }, withinMs);
      const again = setInterval(look, 100);
      function finish() {
        clearTimeout(limit);
        clearInterval(again);
        watchers.delete(look);
      }
      function look() {
        if (!condition()) return;
        finish();
        resolve();
      }
      watchers.add(look);
      look();
    });
  }

  /** Waits until there is something, or the usual time of a held request is over. */
  async function hold<T>(take: () => T | null, response: ServerResponse): Promise<T | null> {
    const limit = Date.now() + HOLD_MS;
    let taken = take();
    while (taken === null && Date.now() < limit && !response.destroyed) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, 50);
        function done() {
          clearTimeout(timer);
          watchers.delete(done);
          resolve();
        }
        watchers.add(done);
      });
      if (!response.destroyed) taken = take();
    }
    return taken;
  }

  function find(attemptId: string): StoredAttempt {
    const found = attempts.get(attemptId);
    if (!found) throw new Error(`There is no attempt ${attemptId}.`);
    return found;
  }

  async function answer(
    method: string,
    path: string,
    body: unknown,
    response: ServerResponse,
  ): Promise<unknown> {
    switch (`${method} ${path}`) {
      case 'POST /enrol': {
        const { token } = enrolRequestSchema.parse(body);
        if (token !== 'good-token') return refuse(response, 403, 'token_used');
        return { runnerId: 'rnr_1', key: RUNNER_KEY, pool: 'default', queues: ['pool-default'] };
      }
      case 'GET /me':
        return {
          runnerId: 'rnr_1',
          organizationId: 'org_1',
          name: 'test-runner',
          pool: 'default',
          queues: ['pool-default'],
          isDraining: plane.isDraining,
        };
      case 'POST /heartbeat':
        heartbeats.push(heartbeatRequestSchema.parse(body));
        return { directives: [] };
      case 'POST /conversations/superseded': {
        const { cliSessionIds } = supersededRequestSchema.parse(body);
        const { superseded } = plane;
        if (superseded === null) return refuse(response, 404, 'not_found');
        return { superseded: cliSessionIds.filter((id) => superseded.includes(id)) };
      }
      case 'GET /directives': {
        const taken = await hold(() => directives.shift() ?? null, response);
        const checks = plane.checkPlan && {
          ...{ kind: 'checks' as const, digest: plane.checkPlan.digest },
        };
        return { directives: [taken, checks].filter((each) => each !== null) };
      }
      case 'GET /checks':
        return plane.checkPlan;
      case 'POST /check-results':
        plane.checkResults.push(...checkResultsRequestSchema.parse(body).results);
        return { refused: [], notStored: [] };
      case 'GET /test-queue':
        return { attemptId: await hold(() => waitingIds.shift() ?? null, response) };
      case 'POST /events': {
        const { batches } = eventsRequestSchema.parse(body);
        if (batches.some(({ attemptId }) => refused.has(attemptId))) {
          return refuse(response, 404, 'not_found');
        }
        const own = batches.filter(({ attemptId }) => !disowned.has(attemptId));
        for (const { attemptId, events } of own) find(attemptId).store(events);
        const acknowledged = own.map(({ attemptId }) => ({
          attemptId,
          seq: find(attemptId).ackedSeq,
        }));
        const stops = batches.flatMap(({ attemptId }): Directive[] =>
          disowned.has(attemptId) ? [{ kind: 'stop', attemptId, reason: 'fenced' }] : [],
        );
        return { acknowledged, directives: stops };
      }
    }
    const [, , attemptId = '', verb] = path.split('/');
    const attempt = find(attemptId);
    if (verb === 'claim') {
      const refusal = refuseClaim(attemptId);
      if (refusal) return refuse(response, refusal.status, refusal.code);
      claims.push(attemptId);
      const isRefused = attempt.isClaimed && !rungAgain.has(attemptId);
      if (isRefused) return refuse(response, 409, 'not_queued');
      attempt.isClaimed = true;
      return attempt.spec;
    }
    if (verb === 'result') {
      const { events, claimsNext, ...result } = resultRequestSchema.parse(body);
      if (refused.has(attempt.spec.attemptId)) return refuse(response, 404, 'not_found');
      attempt.store(events);
      if (result.lastSeq > attempt.ackedSeq) return refuse(response, 409, 'events_missing');
      attempt.results.push(result);
      const nextAttemptId = followers.get(attemptId) ?? null;
      const next = nextAttemptId !== null && claimsNext ? find(nextAttemptId) : null;
      if (next) next.isClaimed = true;
      if (nextAttemptId !== null && rungFirst.has(nextAttemptId)) {
        plane.ringAgain(nextAttemptId);
        await sleep(RUNG_BEFORE_MS);
      }
      return { decides: true, nextAttemptId, next: next?.spec ?? null };
    }
    if (verb === 'commands') {
      const command = authorizeCommandRequestSchema.parse(body);
      plane.commands.push(command);
      return plane.commandAnswer(command);
    }
    if (verb?.startsWith('checkpoints')) return { checkpoints: kept };
    return refuse(response, 404, 'not_found');
  }

  /** @returns false for another request */
  function serveSeal(request: IncomingMessage, body: Buffer, response: ServerResponse): boolean {
    const [, attemptId] = /\/attempts\/([^/]+)\/seal$/.exec(request.url ?? '') ?? [];
    if (attemptId === undefined) return false;
    if (plane.sealOutages > 0) {
      plane.sealOutages -= 1;
      refuse(response, 503, 'unavailable');
    } else if (request.method === 'PUT') {
      const { headers } = request;
      plane.seals.set(attemptId, {
        packed: body,
        bytes: Number(headers[SEAL_BYTES_HEADER]),
        sha256: String(headers[SEAL_SHA256_HEADER]),
      });
      response.end(JSON.stringify({ keptUntil: new Date().toISOString() }));
    } else if (request.method === 'POST') {
      const { refusal } = sealRefusalSchema.parse(JSON.parse(body.toString()));
      plane.sealRefusals.set(attemptId, refusal);
      response.writeHead(204).end();
    } else {
      const sent = plane.seals.get(attemptId);
      if (sent) response.end(sent.packed);
      else refuse(response, 404, 'not_found');
    }
    changed();
    return true;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (isAway) return void request.socket.destroy();
    if (plane.isKeyInUse) return refuse(response, 409, 'key_in_use');
    if (serveSeal(request, body, response)) return;
    const text = body.toString();
    if (text) bodies.push(text);
    if (text.length > MAX_BODY_BYTES) return refuse(response, 413, 'too_large');
    const path = (request.url ?? '').replace('/api/runner/v1', '');
    const isOpen = path === '/enrol' || request.headers.authorization === `Bearer ${RUNNER_KEY}`;
    if (!isOpen) return refuse(response, 401, 'unknown_key');
    try {
      const json: unknown = text ? JSON.parse(text) : null;
      const result = await answer(request.method ?? '', path, json, response);
      if (result === undefined || response.destroyed) return;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(result));
    } catch (error) {
      refuse(response, 400, String(error));
    } finally {
      changed();
    }
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const plane: FakeControlPlane = {
    url: `http://127.0.0.1:${port}`,
    heartbeats,
    bodies,
    kept,
    superseded: [],
    commands: [],
    commandAnswer: () => ({ verdict: 'allowed' }),
    seals: new Map(),
    sealRefusals: new Map(),
    sealOutages: 0,
    isDraining: false,
    checkPlan: null,
    checkResults: [],
    isKeyInUse: false,
    queue(spec) {
      attempts.set(spec.attemptId, storedAttempt(spec));
      waitingIds.push(spec.attemptId);
      changed();
    },
    follow(attemptId, spec, options) {
      if (options?.isRungFirst) rungFirst.add(spec.attemptId);
      attempts.set(spec.attemptId, storedAttempt(spec));
      followers.set(attemptId, spec.attemptId);
    },
    ringAgain(attemptId) {
      rungAgain.add(attemptId);
      waitingIds.push(attemptId);
      changed();
    },
    claims,
    attempt: find,
    direct(directive) {
      directives.push(directive);
      changed();
    },
    setAway(value) {
      isAway = value;
      if (value) server.closeAllConnections();
    },
    disown: (attemptId) => void disowned.add(attemptId),
    refuseEventsOf: (attemptId) => void refused.add(attemptId),
    onClaim(answerClaim) {
      refuseClaim = answerClaim;
    },
    until,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return plane;
}

function refuse(response: ServerResponse, status: number, code: string): undefined {
  response.writeHead(status, { 'content-type': 'application/problem+json' });
  response.end(JSON.stringify({ code, title: code }));
  return undefined;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
