import { sql } from 'kysely';
import type { Prisma, SignalSource } from '@/generated/prisma/client';
import { toJson } from '@/lib/platform/db/raw';
import { byId, lookedUp, rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { type Place, pageArgs } from '@/lib/platform/http/cursor';
import { type Mapping, mappingSchema, type SourceKind, sourceKindSchema } from './source-schema';

/** What a request needs of its source before it is known whose source that is. */
export type FoundSource = Omit<
  SignalSource,
  'kind' | 'name' | 'tokenHint' | 'mapping' | 'staleSeconds' | 'createdAt'
> & { kind: SourceKind };

/** Returns a source of any organization; null for an unknown id. */
export async function findSource(id: string): Promise<FoundSource | null> {
  const [row] = await lookedUp(sql<FoundSource>`select * from app.find_signal_source(${id})`);
  return row ? { ...row, kind: sourceKindSchema.parse(row.kind) } : null;
}

type NewSource = Omit<Prisma.SignalSourceUncheckedCreateInput, 'organizationId' | 'mapping'> & {
  mapping: Mapping;
};

export function insertSource(db: TenantDb, source: NewSource) {
  return db.signalSource.create({
    data: { organizationId: db.organizationId, ...source, mapping: toJson(source.mapping) },
  });
}

export async function getSourceRow(db: TenantDb, sourceId: string) {
  const row = await db.signalSource.findFirst({ where: { id: sourceId } });
  if (!row) throw new NotFoundError();
  return row;
}
export type SourceRow = Awaited<ReturnType<typeof getSourceRow>>;

/** Returns sources, newest first. */
export function listSourceRows(
  db: TenantDb,
  { projectId, ...place }: Place & { projectId: string | undefined },
) {
  const { id, ...page } = pageArgs(place);
  return db.signalSource.findMany({ where: { id, projectId }, ...page });
}

export type SourceChanges = Partial<Omit<SourceRow, 'mapping'> & { mapping: Mapping }>;

/** @throws NotFoundError if it was deleted in the meantime */
export async function updateSourceRow(
  db: TenantDb,
  sourceId: string,
  { mapping, ...changes }: SourceChanges,
): Promise<void> {
  const { count } = await db.signalSource.updateMany({
    where: { id: sourceId },
    data: { ...changes, ...(mapping ? { mapping: toJson(mapping) } : {}) },
  });
  if (count === 0) throw new NotFoundError();
}

/** Deletes a source with its alerts and requests. */
export async function deleteSourceRow(db: TenantDb, sourceId: string): Promise<void> {
  const { count } = await db.signalSource.deleteMany({ where: { id: sourceId } });
  if (count === 0) throw new NotFoundError();
}

/**
 * Locks a source until the end of the transaction: its requests are processed one transaction
 * after the other, by whichever process. Requests are stored meanwhile: a key lock would hold them up.
 *
 * @returns null if it was deleted
 */
export async function lockSource(
  db: TenantDb,
  sourceId: string,
): Promise<{ projectId: string; kind: SourceKind; mapping: Mapping; staleSeconds: number } | null> {
  const source = byId('signalSource', db.organizationId, sourceId).forNoKeyUpdate();
  const columns = ['projectId', 'kind', 'mapping', 'staleSeconds'] as const;
  const [row] = await rowsOf(db, source.select(columns));
  if (!row) return null;
  const { kind, mapping } = row;
  return { ...row, kind: sourceKindSchema.parse(kind), mapping: mappingSchema.parse(mapping) };
}
