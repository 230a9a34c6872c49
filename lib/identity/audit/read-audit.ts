import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { NotFoundError } from '@/lib/platform/errors';
import { decodeCursor, pageOf, type TwoWayEnds, twoWayPage } from '@/lib/platform/http/cursor';
import { encodeId } from '@/lib/platform/ids';
import { requireMay } from '../tenancy/role-matrix';
import { type Comparison, signingKey } from './anchor';
import { lastSeqBefore, listActors, listAuditedProjects, listAuditRows, verifyAudit } from './data';
import { type AuditEntryDto, type AuditFilter, type AuditVerdictDto, toEntryDto } from './schema';
import { compareLog, writeAnchor } from './write-anchors';

type AuditQuery = AuditFilter & { limit: number; cursor?: string | undefined };

/** Returns entries newest first. Throws NotFoundError for an unknown project. */
export async function listAudit(
  scope: TenantScope,
  { limit, cursor, ...filter }: AuditQuery,
): Promise<{ data: AuditEntryDto[]; nextCursor: string | null }> {
  requireReader(scope);
  const before = decodeCursor(cursor, z.number().int().positive());
  const found = await inTransaction(scope, async (db) =>
    listAuditRows(db, await withProjectId(db, filter), { limit, before }),
  );
  const { rows, nextCursor } = pageOf(found, limit, (row) => Number(row.seq));
  return { data: rows.map(toEntryDto), nextCursor };
}

/**
 * Computes the whole chain of hashes again, and compares it with the anchors that are kept
 * outside of the database. An intact log gets a new anchor.
 */
export async function checkAudit(scope: TenantScope, now = new Date()): Promise<AuditVerdictDto> {
  requireReader(scope);
  const { verdict, before } = await inTransaction(scope, async (db) => {
    const verdict = await verifyAudit(db);
    return { verdict, before: await lastSeqBefore(db, verdict.firstBad) };
  });
  const isUnbroken = verdict.firstBad === null && verdict.headMatches;
  const comparison = await compareLog(scope);
  if (isUnbroken) await writeAnchor(scope, comparison, now);
  const unknown = comparison.state === 'unknown' ? ('unknown' as const) : ('intact' as const);
  const status = !isUnbroken || comparison.state === 'differs' ? 'changed' : unknown;
  const anchor = anchorDto(comparison);
  return {
    ...verdict,
    status,
    isIntact: status === 'intact',
    anchor,
    checkpoint: anchor,
    verifiedUpTo:
      comparison.state === 'differs' ? Math.min(before, comparison.unchangedUpTo) : before,
    checkedAt: now.toISOString(),
  };
}

function anchorDto(comparison: Comparison): AuditVerdictDto['anchor'] {
  const { publicKey } = signingKey(env().secretKey);
  if (comparison.state === 'unknown') {
    const { reason } = comparison;
    const state = reason === 'no_anchor' ? 'missing' : reason;
    return { state, seq: null, at: null, since: null, isMissing: false, publicKey };
  }
  const { state, anchor } = comparison;
  const { seq, at } = anchor;
  const since = state === 'matches' ? comparison.firstAt : null;
  const isMissing = state === 'differs' && comparison.isMissing;
  return { state, seq, at, since, isMissing, publicKey };
}

/** Requires the right to read the audit log. A token needs the scope audit:read. */
export function requireReader(scope: TenantScope): void {
  if (scope.actor.kind !== 'api_token') requireMay(scope, 'audit.read');
}

/** Replaces the filter's project by its id; a deleted project still has entries. */
export async function withProjectId<Filter extends AuditFilter>(
  db: TenantDb,
  filter: Filter,
): Promise<Filter> {
  const { project } = filter;
  if (!project) return filter;
  const known = (await listAuditedProjects(db)).map(({ id, slug }) => ({
    id: encodeId('prj', id),
    slug,
  }));
  const named = findProject(known, project);
  if (!named) throw new NotFoundError();
  return { ...filter, project: named.id };
}

/** By id or slug; of a slug that was used again, the live one. */
function findProject<Project extends { id: string; slug: string }>(
  projects: readonly Project[],
  reference: string | undefined,
): Project | undefined {
  return projects.find(({ id, slug }) => id === reference || slug === reference);
}

/** Its ends are sequence numbers. */
export interface AuditPage extends TwoWayEnds<number> {
  entries: AuditEntryDto[];
  /** Id of the project that the page is about; null for all. */
  project: string | null;
  /** To choose from. */
  actors: { actor: string; actorLabel: string }[];
  projects: { id: string; name: string; isDeleted: boolean }[];
}

/**
 * Returns a page of the log, newest first, with cursors in both directions and filter options. An
 * unknown project doesn't filter.
 */
export function browseAudit(
  scope: TenantScope,
  filter: AuditFilter,
  asked: { before?: number | undefined; after?: number | undefined; limit: number },
): Promise<AuditPage> {
  requireReader(scope);
  return inTransaction(scope, async (db) => {
    const projects = (await listAuditedProjects(db)).map(({ id, ...rest }) => ({
      id: encodeId('prj', id),
      ...rest,
    }));
    const project = findProject(projects, filter.project)?.id;
    const found = await listAuditRows(db, { ...filter, project }, asked);
    const { rows, ...ends } = twoWayPage(found, asked, ({ seq }) => Number(seq));
    return {
      entries: rows.map(toEntryDto),
      ...ends,
      actors: (await listActors(db)).map(({ actor, label }) => ({
        actor,
        actorLabel: label ?? '',
      })),
      project: project ?? null,
      projects,
    };
  });
}
