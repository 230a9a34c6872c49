import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { SealStorage } from './storage';

/** Keeps seals in the database: a blob is deleted together with the row of its seal. */
export const postgresqlStorage: SealStorage = {
  name: 'postgresql',
  put({ organizationId, sealId }, content) {
    return inTransaction({ organizationId }, async (db) => {
      await db.sealBlob.createMany({
        data: { organizationId, sealId, content: new Uint8Array(content) },
      });
    });
  },
  get({ organizationId, sealId }) {
    return inTransaction({ organizationId }, async (db) => {
      const blob = await db.sealBlob.findFirst({ where: { sealId } });
      return blob && Buffer.from(blob.content);
    });
  },
};
