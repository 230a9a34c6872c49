import { AsyncLocalStorage } from 'node:async_hooks';

// On globalThis like the clients that read it: Next loads this module once per bundle, and a
// client made by one bundle would not see the tenant that another one set.
const held = globalThis as unknown as { tierwatchTenant?: AsyncLocalStorage<string> };
held.tierwatchTenant ??= new AsyncLocalStorage<string>();
const storage = held.tierwatchTenant;

/** The organization of the transaction that is being opened, or undefined. */
export function currentTenant(): string | undefined {
  return storage.getStore();
}

export function runAsTenant<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
  return storage.run(organizationId, work);
}
