import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { twoWayPage } from '@/lib/platform/http/two-way-page';
import { encodeId } from '@/lib/platform/ids';
import { toEntryDto } from '../entry-dto';
import type { AuditEntryDto, AuditFilter } from '../schema';
import { listActors, listAuditedProjects, listAuditRows } from '../search/data';
import { findProject, requireReader } from './read-audit';

export interface AuditPage {
  entries: AuditEntryDto[];
  /** Sequence numbers to go on from; null at that end. */
  newerThan: number | null;
  olderThan: number | null;
  /** Id of the project that the page is about; null for all. */
  project: string | null;
  /** To choose from. */
  actors: { actor: string; actorLabel: string }[];
  projects: { id: string; name: string; isDeleted: boolean }[];
}

interface Asked {
  before?: number | undefined;
  after?: number | undefined;
  limit: number;
}

/**
 * A page of the log, newest first, walked both ways, with what its filters offer. A project that
 * never was does not narrow it.
 */
export function browseAudit(
  scope: TenantScope,
  filter: AuditFilter,
  asked: Asked,
): Promise<AuditPage> {
  requireReader(scope);
  return inTransaction(scope, async (db) => {
    const projects = (await listAuditedProjects(db)).map(({ id, ...rest }) => ({
      id: encodeId('prj', id),
      ...rest,
    }));
    const project = findProject(projects, filter.project)?.id;
    const found = await listAuditRows(db, { ...filter, project }, asked);
    const page = twoWayPage(found, {
      limit: asked.limit,
      before: asked.before?.toString(),
      after: asked.after?.toString(),
    });
    const entries = page.rows.map(toEntryDto);
    return {
      entries,
      newerThan: page.hasNewer ? (entries[0]?.seq ?? null) : null,
      olderThan: page.hasOlder ? (entries.at(-1)?.seq ?? null) : null,
      actors: (await listActors(db)).map(({ actor, label }) => ({
        actor,
        actorLabel: label ?? '',
      })),
      project: project ?? null,
      projects,
    };
  });
}
