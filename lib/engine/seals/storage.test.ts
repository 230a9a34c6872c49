import { expect, it } from 'vitest';
import type { OrganizationId } from '@/lib/platform/db/scope';
import { UnavailableError } from '@/lib/platform/errors';
import { type ObjectStore, ObjectStoreError } from '@/lib/platform/s3-store';
import { s3Storage } from './storage';

const OBJECT = {
  organizationId: 'organization-a' as OrganizationId,
  sealId: 'seal-1',
  storedBytes: 3,
};

function storeOf(objects: Map<string, Buffer>, failure?: unknown): ObjectStore {
  const answer = <T>(value: T) => (failure ? Promise.reject(failure) : Promise.resolve(value));
  return {
    put: (key, content) => answer(void objects.set(key, content)),
    get: (key) => answer(objects.get(key) ?? null),
    remove: (key) => answer(void objects.delete(key)),
    close() {},
  };
}

it('[FLT-4.4] names an object after its seal, below the prefix, and not after its organization', async () => {
  const objects = new Map<string, Buffer>();
  const storage = s3Storage(storeOf(objects), 'kept/');
  expect(await storage.get(OBJECT)).toBeNull();
  await storage.put(OBJECT, Buffer.from('abc'));
  expect([...objects.keys()]).toEqual(['kept/seal-1']);
  expect(String(await storage.get(OBJECT))).toBe('abc');
  await storage.remove(OBJECT.sealId);
  expect(objects.size).toBe(0);
});

it.each(['away', 'refused'] as const)(
  '[FLT-4.4] a store that is %s is an outage, which a retry may end',
  async (kind) => {
    const storage = s3Storage(storeOf(new Map(), new ObjectStoreError('put: x', kind)), '');
    await expect(storage.get(OBJECT)).rejects.toThrow(UnavailableError);
    await expect(storage.put(OBJECT, Buffer.alloc(1))).rejects.toThrow(UnavailableError);
    await expect(storage.remove('seal-1')).rejects.toThrow(UnavailableError);
  },
);

it('[FLT-4.4] a fault of the program is none of the store', async () => {
  const storage = s3Storage(storeOf(new Map(), new TypeError('x')), '');
  await expect(storage.get(OBJECT)).rejects.toThrow(TypeError);
});
