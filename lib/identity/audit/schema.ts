import { z } from 'zod';
import { momentSchema } from '@/lib/platform/http/moment';
import { AUDIT_ACTIONS, AUDIT_KINDS } from './actions';

/** The forms in which the log is exported. */
export const AUDIT_FORMATS = ['csv', 'jsonl'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

/** Filters for entries; omitted fields don't filter. */
export const auditFilterSchema = z.object({
  /** As entries name it: `user:…`, `api_token:…`, `runner:…` or `system:…`. */
  actor: z.string().max(200).optional(),
  /** One action (`runner.revoked`), or all with one kind of thing (`runner`). */
  action: z.enum([...AUDIT_KINDS, ...AUDIT_ACTIONS], { error: 'Unknown action.' }).optional(),
  /** Id or slug. */
  project: z.string().max(200).optional(),
  /** The first moment that counts. */
  from: momentSchema.optional(),
  /** The first moment that no longer counts. */
  to: momentSchema.optional(),
});
export type AuditFilter = z.output<typeof auditFilterSchema>;

export const auditEntrySchema = z.object({
  seq: z
    .number()
    .int()
    .meta({ description: 'Sequence number within the organization, without gaps.' }),
  at: z.string(),
  /** `user:…`, `api_token:…`, `runner:…` or `system:…`, and the name it had then. */
  actor: z.string(),
  actorLabel: z.string(),
  action: z.string(),
  /** Typed id of what was acted on. */
  target: z.string(),
  /** Id of the project it is about; null for what is about none or all. */
  project: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()).meta({
    description:
      'Before and after, or the facts of a decision. Of a tool call by the Model Context Protocol, also `mcpClient`, the client as it names itself, and `toolUseId`.',
  }),
  hash: z
    .string()
    .meta({ description: 'SHA-256 in hex, over this entry and the hash of the previous entry.' }),
});
export type AuditEntryDto = z.infer<typeof auditEntrySchema>;

const anchorDtoSchema = z
  .object({
    state: z.enum(['matches', 'differs', 'missing', 'unreadable', 'damaged']),
    seq: z.number().int().nullable().meta({ description: 'The entry that it was written at.' }),
    at: z.string().nullable().meta({
      description: 'When it was written. A log that differs was changed after that.',
    }),
    since: z.string().nullable().meta({
      description: 'When the first anchor was written. Earlier changes can’t be detected.',
    }),
    isMissing: z
      .boolean()
      .meta({ description: 'The entry is gone, rather than there with another hash.' }),
    publicKey: z.string().meta({
      description: 'Ed25519 key, base64url, that the anchors of this installation are signed with.',
    }),
  })
  .meta({ description: 'The newest signed anchor, or the newest one that does not match.' });

export const auditVerdictSchema = z.object({
  /** Entries looked at. */
  checked: z.number().int(),
  firstBad: z.number().int().nullable().meta({
    description: 'Sequence number of the first entry that does not match; null when all do.',
  }),
  headMatches: z.boolean().meta({ description: 'False when the newest entries were removed.' }),
  status: z.enum(['intact', 'changed', 'unknown']).meta({
    description:
      '`unknown`: the hashes match, but there is no anchor outside of the database to compare the log with. All hashes may have been computed again.',
  }),
  isIntact: z.boolean().meta({ description: 'Whether `status` is `intact`.' }),
  anchor: anchorDtoSchema,
  checkpoint: anchorDtoSchema.meta({ description: 'The former name of `anchor`.' }),
  verifiedUpTo: z
    .number()
    .int()
    .meta({ description: 'The log is unchanged up to this entry; 0 when no entry is.' }),
  checkedAt: z.string(),
});
export type AuditVerdictDto = z.infer<typeof auditVerdictSchema>;

interface Row {
  seq: bigint;
  at: Date;
  actor: string;
  action: string;
  target: string;
  project: string | null;
  detail: unknown;
  hash: Uint8Array;
}

/**
 * Converts a row to its DTO; the actor's name and the project move from the detail to their own
 * fields.
 */
export function toEntryDto(row: Row): AuditEntryDto {
  const { actorLabel, project: _project, ...detail } = isRecord(row.detail) ? row.detail : {};
  return {
    seq: Number(row.seq),
    at: row.at.toISOString(),
    actor: row.actor,
    actorLabel: typeof actorLabel === 'string' ? actorLabel : '',
    action: row.action,
    target: row.target,
    project: row.project,
    detail,
    hash: Buffer.from(row.hash).toString('hex'),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
