import { z } from 'zod';

export const auditEntrySchema = z.object({
  /** Without gaps in an organization. */
  seq: z.number().int(),
  at: z.string(),
  /** `user:…`, `api_token:…`, `runner:…` or `system:…`, and the name it had then. */
  actor: z.string(),
  actorLabel: z.string(),
  action: z.string(),
  /** Typed id of what was acted on. */
  target: z.string(),
  /** Before and after, or the facts of a decision. */
  detail: z.record(z.string(), z.unknown()),
  /** Hex; each covers the one before. */
  hash: z.string(),
});
export type AuditEntryDto = z.infer<typeof auditEntrySchema>;

export const auditVerdictSchema = z.object({
  /** Entries looked at. */
  checked: z.number().int(),
  /** Sequence number of the first entry that does not match; null when all do. */
  firstBad: z.number().int().nullable(),
  /** False when the tail was cut off. */
  headMatches: z.boolean(),
  isIntact: z.boolean(),
});
export type AuditVerdictDto = z.infer<typeof auditVerdictSchema>;
