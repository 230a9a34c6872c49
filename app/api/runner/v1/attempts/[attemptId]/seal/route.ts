import { z } from 'zod';
import { route } from '@/lib/api/route';
import { keepSeal, refuseSeal } from '@/lib/engine/seals/keep-seal';
import { openSeal } from '@/lib/engine/seals/open-seal';
import { InvalidError } from '@/lib/platform/errors';
import { readBytes } from '@/lib/platform/http/read-body';
import {
  MAX_SEAL_BODY_BYTES,
  MAX_SEAL_BYTES,
  SEAL_BYTES_HEADER,
  SEAL_SHA256_HEADER,
  sealRefusalSchema,
  sealResponseSchema,
} from '@/lib/protocol/seal';

const path = '/api/runner/v1/attempts/{attemptId}/seal';
const params = z.object({ attemptId: z.uuid() });

const described = z.object({
  bytes: z.coerce.number().int().positive().max(MAX_SEAL_BYTES),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const PUT = route({
  method: 'PUT',
  path,
  summary: 'Keep the conversation of an attempt that has ended',
  auth: 'runner',
  params,
  response: sealResponseSchema,
  async handle({ scope, params, request }) {
    const { headers } = request;
    const file = described.safeParse({
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

export const POST = route({
  method: 'POST',
  path,
  summary: 'Say why the conversation of an attempt isn’t sent',
  auth: 'runner',
  status: 204,
  params,
  body: sealRefusalSchema,
  handle: ({ scope, params, body }) => refuseSeal(scope, params.attemptId, body.refusal),
});

export const GET = route({
  method: 'GET',
  path,
  summary: 'Open the conversation that a claimed attempt continues',
  auth: 'runner',
  params,
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
