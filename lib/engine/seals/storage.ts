import type { OrganizationId } from '@/lib/platform/db/scope';
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
