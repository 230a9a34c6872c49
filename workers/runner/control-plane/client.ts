/** The one caller of the runner API: every endpoint, typed, with failures by name. */

import { Agent, request } from 'undici';
import { z } from 'zod';
import type { RecalledCheckpoint } from '@/lib/protocol/checkpoint';
import {
  type AuthorizeCommandRequest,
  type AuthorizeCommandResponse,
  authorizeCommandResponseSchema,
} from '@/lib/protocol/commands';
import {
  type CheckPlan,
  type CheckResultsRequest,
  type CheckResultsResponse,
  checkPlanSchema,
  checkResultsResponseSchema,
} from '@/lib/protocol/monitoring';
import {
  type CheckTestOutcome,
  claimRefusalSchema,
  type Directive,
  type DirectivesResponse,
  directivesResponseSchema,
  type EnrolRequest,
  type EnrolResponse,
  type EventsRequest,
  type EventsResponse,
  enrolResponseSchema,
  eventsResponseSchema,
  type HeartbeatBody,
  HOLD_SECONDS,
  INSTANCE_HEADER,
  type MeResponse,
  meResponseSchema,
  newKeyResponseSchema,
  nextAttemptResponseSchema,
  PROCESS_HEADER,
  type ResultRequest,
  type ResultResponse,
  recallResponseSchema,
  resultResponseSchema,
  supersededResponseSchema,
  type UpdateFailedRequest,
} from '@/lib/protocol/schema';
import {
  SEAL_BYTES_HEADER,
  SEAL_SHA256_HEADER,
  type SealRefusal,
  sealResponseSchema,
} from '@/lib/protocol/seal';
import { type AttemptSpec, attemptSpecSchema } from '@/lib/protocol/spec';
import type { RunnerIdentity } from '../identity';
import { ControlPlaneError } from './failure';

type Claim =
  | { kind: 'claimed'; spec: AttemptSpec }
  | { kind: 'refused'; reason: z.infer<typeof claimRefusalSchema> | 'unknown' };

/** Each call is one request. @throws ControlPlaneError; who calls decides about trying again. */
export interface ControlPlane {
  enrol(body: EnrolRequest): Promise<EnrolResponse>;
  me(): Promise<MeResponse>;
  heartbeat(body: HeartbeatBody): Promise<Directive[]>;
  /** Held open until the directives differ from the state that `seen` identifies, at most 25 s. */
  directives(seen: string | null, signal: AbortSignal): Promise<DirectivesResponse>;
  /** Held open until an attempt waits for this runner, at most 25 s; null when none did. */
  nextAttempt(signal: AbortSignal): Promise<string | null>;
  claim(attemptId: string): Promise<Claim>;
  /** Asks whether a command that may change something may run now. */
  authorizeCommand(
    attemptId: string,
    command: AuthorizeCommandRequest,
  ): Promise<AuthorizeCommandResponse>;
  sendEvents(body: EventsRequest): Promise<EventsResponse>;
  sendResult(attemptId: string, result: ResultRequest): Promise<ResultResponse>;
  /** What sessions before this attempt's have kept, newest first. */
  recall(attemptId: string, limit: number): Promise<RecalledCheckpoint[]>;
  /** Returns those of these conversations that can no longer be continued. At most 500 at once. */
  superseded(cliSessionIds: readonly string[]): Promise<string[]>;
  /** Hands over the conversation of an attempt that has ended. */
  keepSeal(attemptId: string, file: PackedFile): Promise<void>;
  /** Reports that the conversation isn't handed over. */
  refuseSeal(attemptId: string, refusal: SealRefusal): Promise<void>;
  /** Returns the compressed conversation that a claimed attempt continues, unverified. */
  openSeal(attemptId: string): Promise<Buffer>;
  sendCheckTest(testId: string, outcome: CheckTestOutcome): Promise<void>;
  /** Returns the checks that this runner runs without an agent. */
  checkPlan(): Promise<CheckPlan>;
  sendCheckResults(body: CheckResultsRequest): Promise<CheckResultsResponse>;
  /** The update that was requested was not made, or was taken back. */
  reportUpdateFailure(failure: UpdateFailedRequest): Promise<void>;
  newKey(): Promise<string>;
  /** Asks with that key, and continues with it. */
  confirmKey(key: string): Promise<void>;
  close(): Promise<void>;
}

/** A conversation's file, compressed with gzip; the rest is about the file itself. */
export interface PackedFile {
  packed: Buffer;
  bytes: number;
  sha256: string;
}

const ANSWER_TIMEOUT_MS = 15_000;
/** For a conversation of the largest size over a slow line. */
const TRANSFER_TIMEOUT_MS = 120_000;
const HOLD_TIMEOUT_MS = (HOLD_SECONDS + 15) * 1_000;

const problemSchema = z.object({
  code: z.string().optional(),
  title: z.string().optional(),
  detail: z.string().optional(),
});

export function createControlPlane(options: {
  url: string;
  key: string | null;
  /** Absent before the enrolment. */
  identity?: RunnerIdentity;
}): ControlPlane {
  const agent = new Agent({ connections: 8, connect: { timeout: 10_000 } });
  const base = `${options.url}/api/runner/v1`;
  let currentKey = options.key;
  const { identity } = options;
  const processId = identity?.processId;

  /** Who sends a request: the key, and the process that uses it. */
  function sender(key: string | null): Record<string, string> {
    return {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(identity
        ? { [PROCESS_HEADER]: identity.processId, [INSTANCE_HEADER]: identity.instanceId }
        : {}),
    };
  }

  async function call<T extends z.ZodType>(
    method: 'GET' | 'POST',
    path: string,
    answer: T,
    body?: unknown,
    { hold, key = currentKey }: { hold?: AbortSignal; key?: string | null } = {},
  ): Promise<z.infer<T>> {
    const limit = AbortSignal.timeout(hold ? HOLD_TIMEOUT_MS : ANSWER_TIMEOUT_MS);
    const headers: Record<string, string> = { accept: 'application/json', ...sender(key) };
    if (body !== undefined) headers['content-type'] = 'application/json';
    let status: number | null = null;
    let text = '';
    try {
      const response = await request(`${base}${path}`, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        dispatcher: agent,
        signal: hold ? AbortSignal.any([hold, limit]) : limit,
        headersTimeout: HOLD_TIMEOUT_MS,
        bodyTimeout: ANSWER_TIMEOUT_MS,
      });
      text = await response.body.text();
      status = response.statusCode;
    } catch (error) {
      if (hold?.aborted) throw hold.reason;
      throw new ControlPlaneError(`${method} ${path}: ${failureText(error)}`, null);
    }
    const json = parseJson(text);
    if (status === 401 && key !== currentKey) {
      throw new ControlPlaneError(`${method} ${path}: the key was rotated in the meantime.`, null);
    }
    if (status < 200 || status > 299) throw refusal(method, path, status, json);
    if (status === 204) return answer.parse(undefined);
    const parsed = answer.safeParse(json);
    if (parsed.success) return parsed.data;
    // A proxy's page in the place of an answer, or a control plane of another version.
    throw new ControlPlaneError(`${method} ${path}: the response does not match protocol 1.`, 502);
  }

  /** For a conversation, which is no JSON, in one direction or the other. */
  async function transfer(
    attemptId: string,
    given: { method: 'GET' } | { method: 'PUT'; file: PackedFile },
  ): Promise<Buffer> {
    const path = attempt(attemptId, 'seal');
    const { method } = given;
    const headers = sender(currentKey);
    if (given.method === 'PUT') {
      headers['content-type'] = 'application/octet-stream';
      headers[SEAL_BYTES_HEADER] = String(given.file.bytes);
      headers[SEAL_SHA256_HEADER] = given.file.sha256;
    }
    try {
      const response = await request(`${base}${path}`, {
        method,
        headers,
        body: given.method === 'PUT' ? given.file.packed : null,
        dispatcher: agent,
        signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS),
        headersTimeout: TRANSFER_TIMEOUT_MS,
        bodyTimeout: ANSWER_TIMEOUT_MS,
      });
      const body = Buffer.from(await response.body.arrayBuffer());
      const status = response.statusCode;
      if (status !== 200) throw refusal(method, path, status, parseJson(body.toString('utf8')));
      return body;
    } catch (error) {
      if (error instanceof ControlPlaneError) throw error;
      throw new ControlPlaneError(`${method} ${path}: ${failureText(error)}`, null);
    }
  }

  const attempt = (id: string, verb: string) => `/attempts/${encodeURIComponent(id)}/${verb}`;

  return {
    enrol: (body) => call('POST', '/enrol', enrolResponseSchema, body),
    me: () => call('GET', '/me', meResponseSchema),
    async heartbeat(body) {
      return (await call('POST', '/heartbeat', directivesResponseSchema, body)).directives;
    },
    directives(seen, signal) {
      const path = seen === null ? '/directives' : `/directives?seen=${encodeURIComponent(seen)}`;
      return call('GET', path, directivesResponseSchema, undefined, { hold: signal });
    },
    async nextAttempt(signal) {
      const answer = nextAttemptResponseSchema;
      const hold = { hold: signal };
      return (await call('GET', '/next-attempt', answer, undefined, hold)).attemptId;
    },
    async claim(attemptId) {
      try {
        const path = attempt(attemptId, 'claim');
        const spec = await call('POST', path, attemptSpecSchema, { processId });
        return { kind: 'claimed', spec };
      } catch (error) {
        if (!(error instanceof ControlPlaneError) || error.isRetryable) throw error;
        if (error.isUnauthorized) throw error;
        const reason = claimRefusalSchema.safeParse(error.code);
        return { kind: 'refused', reason: reason.success ? reason.data : 'unknown' };
      }
    },
    authorizeCommand: (attemptId, command) =>
      call('POST', attempt(attemptId, 'commands'), authorizeCommandResponseSchema, command),
    sendEvents: (body) => call('POST', '/events', eventsResponseSchema, body),
    sendResult: (attemptId, result) =>
      call('POST', attempt(attemptId, 'result'), resultResponseSchema, { ...result, processId }),
    async recall(attemptId, limit) {
      const path = `${attempt(attemptId, 'checkpoints')}?limit=${limit}`;
      return (await call('GET', path, recallResponseSchema)).checkpoints;
    },
    async superseded(cliSessionIds) {
      const path = '/conversations/superseded';
      return (await call('POST', path, supersededResponseSchema, { cliSessionIds })).superseded;
    },
    async keepSeal(attemptId, file) {
      const answer = await transfer(attemptId, { method: 'PUT', file });
      if (sealResponseSchema.safeParse(parseJson(answer.toString('utf8'))).success) return;
      // A proxy's page in the place of an answer: nothing is kept.
      throw new ControlPlaneError('PUT seal: the response does not match protocol 1.', 502);
    },
    async refuseSeal(attemptId, refusal) {
      await call('POST', attempt(attemptId, 'seal'), z.undefined(), { refusal });
    },
    openSeal: (attemptId) => transfer(attemptId, { method: 'GET' }),
    sendCheckTest: (testId, outcome) =>
      call('POST', `/check-tests/${encodeURIComponent(testId)}`, z.undefined(), outcome),
    checkPlan: () => call('GET', '/checks', checkPlanSchema),
    sendCheckResults: (body) => call('POST', '/check-results', checkResultsResponseSchema, body),
    reportUpdateFailure: (failure) => call('POST', '/update-failed', z.undefined(), failure),
    newKey: async () => (await call('POST', '/key', newKeyResponseSchema, {})).key,
    async confirmKey(key) {
      await call('POST', '/key/confirm', z.undefined(), { key }, { key });
      currentKey = key;
    },
    close: () => agent.destroy(),
  };
}

function refusal(method: string, path: string, status: number, json: unknown): ControlPlaneError {
  const problem = problemSchema.safeParse(json).data;
  const said = problem?.detail ?? problem?.title ?? problem?.code ?? 'no reason given';
  return new ControlPlaneError(`${method} ${path}: ${status}, ${said}`, status, problem?.code);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : '';
  return `${code}${error.message}`;
}
