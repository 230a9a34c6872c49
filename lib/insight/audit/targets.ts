import { maskUrl } from '@/lib/deliveries/endpoints/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { decodeId, encodeId } from '@/lib/platform/ids';
import { TARGET_ROWS } from './targets-data';

interface ProjectName {
  slug: string;
  name: string;
}

/** What an entry of the audit log is about, as people know it. */
export type AuditTarget =
  | {
      kind: 'session';
      number: number;
      tier: number;
      project: ProjectName;
      /** `cnv_…` where the session worked out a turn of a conversation. */
      conversationId: string | null;
    }
  | { kind: 'chain' | 'incident'; number: number; project: ProjectName }
  | { kind: 'alert_source'; name: string; project: ProjectName }
  | { kind: 'project'; project: ProjectName }
  | { kind: 'approval'; chainNumber: number; tier: number; project: ProjectName }
  | { kind: 'conversation'; title: string; project: ProjectName }
  | { kind: 'runner' | 'channel' | 'policy' | 'token' | 'member'; name: string }
  | { kind: 'invitation'; email: string }
  | { kind: 'endpoint'; url: string };

type Rows = {
  [Prefix in keyof typeof TARGET_ROWS]: Awaited<ReturnType<(typeof TARGET_ROWS)[Prefix]>>[number];
};

const TO_TARGET: { [Prefix in keyof Rows]: (row: Rows[Prefix]) => AuditTarget } = {
  ses: ({ number, tier, project, turn }) => ({
    kind: 'session',
    number,
    tier,
    project,
    conversationId: turn ? encodeId('cnv', turn.conversationId) : null,
  }),
  chn: ({ number, project }) => ({ kind: 'chain', number, project }),
  inc: ({ number, project }) => ({ kind: 'incident', number, project }),
  als: ({ name, project }) => ({ kind: 'alert_source', name, project }),
  prj: ({ slug, name }) => ({ kind: 'project', project: { slug, name } }),
  apr: ({ tier, chain, project }) => ({
    kind: 'approval',
    chainNumber: chain.number,
    tier,
    project,
  }),
  cnv: ({ title, project }) => ({ kind: 'conversation', title, project }),
  rnr: ({ name }) => ({ kind: 'runner', name }),
  whk: ({ url }) => ({ kind: 'endpoint', url: maskUrl(url) }),
  ntc: ({ name }) => ({ kind: 'channel', name }),
  esp: ({ name }) => ({ kind: 'policy', name }),
  tok: ({ name }) => ({ kind: 'token', name }),
  inv: ({ email }) => ({ kind: 'invitation', email }),
  mem: ({ name }) => ({ kind: 'member', name }),
  usr: ({ name }) => ({ kind: 'member', name }),
};

/**
 * Returns what the ids of audit entries stand for now, with one query for each kind of id among
 * them. What was deleted since is left out.
 */
export function nameAuditTargets(
  scope: TenantScope,
  ids: readonly string[],
): Promise<Map<string, AuditTarget>> {
  return inTransaction(scope, async (db) => {
    const named = new Map<string, AuditTarget>();
    for (const prefix of Object.keys(TARGET_ROWS) as (keyof Rows)[]) {
      await nameOfKind(db, prefix, ids, named);
    }
    return named;
  });
}

async function nameOfKind<Prefix extends keyof Rows>(
  db: TenantDb,
  prefix: Prefix,
  ids: readonly string[],
  named: Map<string, AuditTarget>,
): Promise<void> {
  const own = [...new Set(ids.flatMap((id) => decodeId(prefix, id) ?? []))];
  if (own.length === 0) return;
  const rows = (await TARGET_ROWS[prefix](db, own)) as Rows[Prefix][];
  for (const row of rows) named.set(encodeId(prefix, row.id), TO_TARGET[prefix](row));
}
