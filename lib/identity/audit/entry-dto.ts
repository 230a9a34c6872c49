import type { AuditEntryDto } from './schema';

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

/** The row as it is shown; the actor's name and the project leave the detail for fields of their own. */
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
