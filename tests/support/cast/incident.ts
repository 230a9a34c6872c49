import '../subscriptions';
import { recordServiceChanges } from '@/lib/incidents/record-services';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';

/** The first service of the organization's first project has failed. Returns `inc_…`. */
export async function seedIncident(
  scope: TenantScope,
  now = new Date(),
  error = 'Connection refused.',
): Promise<string> {
  return inTransaction(scope, async (db) => {
    const service = await db.service.findFirstOrThrow({ orderBy: { id: 'asc' } });
    const change = {
      serviceId: service.id,
      name: service.name,
      before: 'healthy' as const,
      status: 'down' as const,
      failingSince: now,
      error,
    };
    await recordServiceChanges(db, scope, service.projectId, [change], now);
    const { id } = await db.incident.findFirstOrThrow({ orderBy: { id: 'desc' } });
    return encodeId('inc', id);
  });
}
