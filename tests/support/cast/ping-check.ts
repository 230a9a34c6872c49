import { mintPingToken } from '@/lib/monitoring/ping-url';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';

/** A heartbeat of the first service of the organization's first project. Returns `hrb_…`. */
export async function seedPingCheck(scope: TenantScope): Promise<string> {
  const { organizationId } = scope;
  return inTransaction(scope, async (db) => {
    const service = await db.service.findFirstOrThrow({ orderBy: { id: 'asc' } });
    const about = { organizationId, projectId: service.projectId, serviceId: service.id };
    const spec = { type: 'heartbeat', target: 'nightly', timeoutSeconds: 5 };
    const { id: checkId } = await db.serviceCheck.create({
      data: { ...about, position: 9, key: 'heartbeat', spec, everySeconds: 60 },
    });
    await db.pingCheck.create({
      data: { organizationId, checkId, ...mintPingToken(checkId) },
    });
    return encodeId('hrb', checkId);
  });
}
