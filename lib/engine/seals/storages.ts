import { UnavailableError } from '@/lib/platform/errors';
import { postgresqlStorage } from './blob-data';
import { configuredS3 } from './s3-storage';
import type { SealStorage } from './storage';

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
