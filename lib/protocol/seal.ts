/** How a runner hands a conversation to the control plane, and gets it back on another host. */
import { z } from 'zod';
import { MAX_BODY_BYTES } from './schema';

/** Largest compressed conversation that a runner may send, in bytes: as of every other body. */
export const MAX_SEAL_BODY_BYTES = MAX_BODY_BYTES;
/** Largest conversation file that is kept, whatever the installation allows, in bytes. */
export const MAX_SEAL_BYTES = 64_000_000;

/**
 * PUT /api/runner/v1/attempts/{id}/seal: the gzip-compressed file as the body, and these two about
 * the file itself as headers. Idempotent: a repeat with the same file is answered like the first.
 */
export const SEAL_BYTES_HEADER = 'x-conversation-bytes';
export const SEAL_SHA256_HEADER = 'x-conversation-sha256';

export const sealResponseSchema = z.object({
  /** Until then another host can continue the conversation. */
  keptUntil: z.iso.datetime(),
});
export type SealResponse = z.infer<typeof sealResponseSchema>;

/**
 * POST /api/runner/v1/attempts/{id}/seal: why there will be none. `secrets`: the conversation
 * contains something that the runner would have redacted.
 */
export const SEAL_REFUSALS = ['too_large', 'secrets'] as const;
export const sealRefusalSchema = z.object({ refusal: z.enum(SEAL_REFUSALS) });
export type SealRefusal = z.infer<typeof sealRefusalSchema>['refusal'];
