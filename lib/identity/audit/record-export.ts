import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { Client } from '@/lib/platform/http/client-address';
import { encodeId } from '@/lib/platform/ids';
import { recordAudit } from './record-audit';

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
