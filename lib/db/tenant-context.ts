import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** The organization of the transaction that is being opened, or undefined. */
export function currentTenant(): string | undefined {
  return storage.getStore();
}

export function runAsTenant<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
  return storage.run(organizationId, work);
}
