import type { OrganizationId } from '@/lib/platform/db/scope';
import { env } from '@/lib/platform/env';
import { UnavailableError } from '@/lib/platform/errors';
import { logger } from '@/lib/platform/logger';
import {
  type ObjectStore,
  ObjectStoreError,
  openS3Store,
  type S3Settings,
} from '@/lib/platform/s3-store';
import { postgresqlStorage } from './data';
import type { SealStorageName } from './schema';

/** Names the one object of a seal. */
export interface StoredObject {
  organizationId: OrganizationId;
  sealId: string;
  storedBytes: number;
}

/** Where encrypted conversations are stored. Objects are written once and never changed. */
export interface SealStorage {
  name: SealStorageName;
  /** @throws UnavailableError if the object may be incomplete, or absent */
  put(object: StoredObject, content: Buffer): Promise<void>;
  /**
   * Returns what is stored, unverified; null if there is nothing.
   *
   * @throws UnavailableError if the storage doesn't answer, or only in part
   */
  get(object: StoredObject): Promise<Buffer | null>;
}

export interface S3Storage extends SealStorage {
  /** Deletes the object of a seal, if there is one. @throws UnavailableError */
  remove(sealId: string): Promise<void>;
}

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as {
  tierwatchS3?: { settings: S3Settings; storage: S3Storage };
};

/** Returns the storage in the configured bucket; null if none is configured. */
export function configuredS3(): S3Storage | null {
  const settings = env().s3;
  if (settings === null) return null;
  if (held.tierwatchS3?.settings !== settings) {
    held.tierwatchS3 = { settings, storage: s3Storage(openS3Store(settings), settings.prefix) };
  }
  return held.tierwatchS3.storage;
}

/** @param prefix in front of every key, for a bucket that is shared */
export function s3Storage(store: ObjectStore, prefix: string): S3Storage {
  const keyOf = (sealId: string) => `${prefix}${sealId}`;
  return {
    name: 's3',
    put: ({ sealId }, content) => asked(store.put(keyOf(sealId), content)),
    get: ({ sealId, storedBytes }) => asked(store.get(keyOf(sealId), storedBytes)),
    remove: (sealId) => asked(store.remove(keyOf(sealId))),
  };
}

const RETRY_SECONDS = 5;

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    const { message, kind } = error;
    if (kind === 'refused') {
      logger.error({ error: message }, 'S3 refused: check TIERWATCH_S3_* and the bucket’s rights');
    } else logger.warn({ error: message }, 'S3 unavailable');
    throw new UnavailableError(
      'The storage of sealed conversations doesn’t respond. Try again in a few seconds.',
      RETRY_SECONDS,
    );
  }
}

/** Returns where new seals are stored. */
export function currentStorage(): SealStorage {
  return configuredS3() ?? postgresqlStorage;
}

/** Returns the storage that a seal's row names. @throws UnavailableError if it isn't configured */
export function storageOf(name: string): SealStorage {
  const known = [postgresqlStorage, configuredS3()].find((storage) => storage?.name === name);
  if (known) return known;
  throw new UnavailableError(`This installation has no access to the storage ${name}.`, 30);
}
