/** What a runner asks and reports about attempts. */

import { z } from 'zod';
import { route } from '@/lib/api/route';
import { recallCheckpoints } from '@/lib/engine/checkpoints/keep-checkpoints';
import { claimAttempt } from '@/lib/engine/claim';
import { authorizeCommand } from '@/lib/engine/commands/authorize';
import { recordEvents } from '@/lib/engine/record-events';
import { keepSeal, refuseSeal } from '@/lib/engine/seals/keep-seal';
import { openSeal } from '@/lib/engine/seals/open-seal';
import { findSuperseded } from '@/lib/engine/superseded';
import { takeResult } from '@/lib/engine/take-result';
import { InvalidError, NotFoundError } from '@/lib/platform/errors';
import { readBytes } from '@/lib/platform/http/read-body';
import {
  authorizeCommandRequestSchema,
  authorizeCommandResponseSchema,
} from '@/lib/protocol/commands';
import {
  claimRequestSchema,
  eventsRequestSchema,
  eventsResponseSchema,
  MAX_BODY_BYTES,
  recallQuerySchema,
  recallResponseSchema,
  resultRequestSchema,
  resultResponseSchema,
  supersededRequestSchema,
  supersededResponseSchema,
} from '@/lib/protocol/schema';
import {
  MAX_SEAL_BODY_BYTES,
  MAX_SEAL_BYTES,
  SEAL_BYTES_HEADER,
  SEAL_SHA256_HEADER,
  sealRefusalSchema,
  sealResponseSchema,
} from '@/lib/protocol/seal';
import { attemptSpecSchema } from '@/lib/protocol/spec';

const attemptParams = z.object({ attemptId: z.uuid() });

export const claim = route({
  method: 'POST',
  path: '/api/runner/v1/attempts/{attemptId}/claim',
  summary: 'Claim an attempt and learn how to start it',
  auth: 'runner',
  status: 200,
  params: attemptParams,
  body: claimRequestSchema,
  response: attemptSpecSchema,
  handle: ({ scope, params, body }) =>
    claimAttempt(scope, params.attemptId, new Date(), body.processId),
});

export const events = route({
  method: 'POST',
  path: '/api/runner/v1/events',
  summary: 'Store events of running attempts',
  auth: 'runner',
  status: 200,
  maxBodyBytes: MAX_BODY_BYTES,
  body: eventsRequestSchema,
  response: eventsResponseSchema,
  handle: ({ scope, body }) => recordEvents(scope, body.batches),
});

export const authorize = route({
  method: 'POST',
  path: '/api/runner/v1/attempts/{attemptId}/commands',
  summary: 'Ask whether a command that may change something may run now',
  auth: 'runner',
  status: 200,
  maxBodyBytes: MAX_BODY_BYTES,
  params: attemptParams,
  body: authorizeCommandRequestSchema,
  response: authorizeCommandResponseSchema,
  async handle({ scope, params, body }) {
    const answer = await authorizeCommand(scope, params.attemptId, body);
    if (!answer) throw new NotFoundError('There is no such attempt of this runner.');
    return answer;
  },
});

export const recall = route({
  method: 'GET',
  path: '/api/runner/v1/attempts/{attemptId}/checkpoints',
  summary: 'Read the checkpoints of sessions up to this attempt',
  auth: 'runner',
  params: attemptParams,
  query: recallQuerySchema,
  response: recallResponseSchema,
  handle: ({ scope, params, query }) => recallCheckpoints(scope, params.attemptId, query.limit),
});

export const takeAttemptResult = route({
  method: 'POST',
  path: '/api/runner/v1/attempts/{attemptId}/result',
  summary: 'Report how an attempt ended',
  auth: 'runner',
  status: 200,
  maxBodyBytes: MAX_BODY_BYTES,
  params: attemptParams,
  body: resultRequestSchema,
  response: resultResponseSchema,
  handle: ({ scope, params, body }) => takeResult(scope, params.attemptId, body),
});

const sealPath = '/api/runner/v1/attempts/{attemptId}/seal';

const sealedFile = z.object({
  bytes: z.coerce.number().int().positive().max(MAX_SEAL_BYTES),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const seal = route({
  method: 'PUT',
  path: sealPath,
  summary: 'Keep the conversation of an attempt that has ended',
  auth: 'runner',
  params: attemptParams,
  response: sealResponseSchema,
  async handle({ scope, params, request }) {
    const { headers } = request;
    const file = sealedFile.safeParse({
      bytes: headers.get(SEAL_BYTES_HEADER),
      sha256: headers.get(SEAL_SHA256_HEADER),
    });
    if (!file.success) {
      const message = `Send size and SHA-256 of the file as ${SEAL_BYTES_HEADER} and ${SEAL_SHA256_HEADER}.`;
      throw new InvalidError(message);
    }
    const packed = await readBytes(request, MAX_SEAL_BODY_BYTES);
    return keepSeal(scope, params.attemptId, { ...file.data, packed });
  },
});

export const declineSeal = route({
  method: 'POST',
  path: sealPath,
  summary: 'Say why the conversation of an attempt isn’t sent',
  auth: 'runner',
  status: 204,
  params: attemptParams,
  body: sealRefusalSchema,
  handle: ({ scope, params, body }) => refuseSeal(scope, params.attemptId, body.refusal),
});

export const unseal = route({
  method: 'GET',
  path: sealPath,
  summary: 'Open the conversation that a claimed attempt continues',
  auth: 'runner',
  params: attemptParams,
  async handle({ scope, params }) {
    const { packed, bytes, sha256 } = await openSeal(scope, params.attemptId);
    return new Response(new Uint8Array(packed), {
      headers: {
        'content-type': 'application/octet-stream',
        'cache-control': 'no-store',
        [SEAL_BYTES_HEADER]: String(bytes),
        [SEAL_SHA256_HEADER]: sha256,
      },
    });
  },
});

export const superseded = route({
  method: 'POST',
  path: '/api/runner/v1/conversations/superseded',
  summary: 'List the kept conversations that can no longer be continued',
  auth: 'runner',
  status: 200,
  body: supersededRequestSchema,
  response: supersededResponseSchema,
  handle: ({ scope, body }) => findSuperseded(scope, body),
});
