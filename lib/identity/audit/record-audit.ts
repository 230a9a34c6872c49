import { actorRef, type TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import type { Client } from '@/lib/platform/http/client-address';
import { recordTarget } from '@/lib/platform/http/idempotency';
import { encodeId } from '@/lib/platform/ids';
import type { AuditAction } from './actions';
import { appendAudit } from './data';

export interface AuditEntry {
  action: AuditAction;
  /** Typed id of what was acted on: `prj_…`. */
  target: string;
  /** UUID of the project it is about, where the target is not the project itself. */
  projectId?: string | null;
  /** Before and after, or the facts of a decision. Never a secret. */
  detail?: Record<string, unknown>;
}

/**
 * Appends right before the commit of the change's transaction: no audit, no change. Under an
 * Idempotency-Key, the first entry's target becomes the one that a repeat is answered from.
 */
export async function recordAudit(
  db: TenantDb,
  scope: TenantScope,
  entries: AuditEntry | AuditEntry[],
): Promise<void> {
  const list = (Array.isArray(entries) ? entries : [entries]).map((entry) => ({
    actor: actorRef(scope.actor),
    action: entry.action,
    target: entry.target,
    detail: {
      actorLabel: scope.actor.label,
      ...clientOf(scope),
      ...(entry.projectId ? { project: encodeId('prj', entry.projectId) } : {}),
      ...entry.detail,
    },
  }));
  const [first] = list;
  if (!first) return;
  await recordTarget(db, first.target);
  appendAudit(db, list);
}

/** The program behind a token. Under a name that no entry uses for facts of its own. */
function clientOf({ actor }: TenantScope): Record<string, unknown> {
  if (actor.kind !== 'api_token' || !actor.client) return {};
  const { name, toolUseId } = actor.client;
  return { mcpClient: name, ...(toolUseId === null ? {} : { toolUseId }) };
}

/** Records a download before its first byte is sent. `facts`: the filter that it was made with. */
export async function recordExport(
  scope: TenantScope,
  client: Client,
  what:
    | 'audit log'
    | 'sessions'
    | 'session log'
    | 'spend'
    | 'analytics'
    | 'project'
    | 'post-mortem',
  facts: Record<string, unknown> = {},
): Promise<void> {
  await inTransaction(scope, (db) =>
    recordAudit(db, scope, {
      action: 'export.created',
      target: encodeId('org', scope.organizationId),
      detail: { what, ...facts, ...client },
    }),
  );
}
