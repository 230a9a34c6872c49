import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds; the value it gives is returned. Throws with `what` when it never does. */
export async function eventually<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  timeoutMs = 60_000,
  everyMs = 25,
): Promise<NonNullable<Value>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`It never happened: ${what}`);
    await sleep(everyMs);
  }
}
