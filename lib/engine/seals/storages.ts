import { UnavailableError } from '@/lib/platform/errors';
import { postgresqlStorage } from './blob-data';
import type { SealStorage } from './storage';

/** Returns where new seals are stored. */
export function currentStorage(): SealStorage {
  return postgresqlStorage;
}

/** Returns the storage that a seal's row names. @throws UnavailableError if it isn't configured */
export function storageOf(name: string): SealStorage {
  if (name === postgresqlStorage.name) return postgresqlStorage;
  throw new UnavailableError(`This installation has no access to the storage ${name}.`, 30);
}
