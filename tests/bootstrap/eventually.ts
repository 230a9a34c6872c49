import { setTimeout as sleep } from 'node:timers/promises';

const SOONEST_MS = 25;
/** A look may be a request to the product, or a walk through all processes. */
const RAREST_MS = 400;

/**
 * Waits until a condition holds, and looks the more rarely the longer that takes; the value it gives is
 * returned. Throws with `what` when it never does.
 */
export async function eventually<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  timeoutMs = 60_000,
): Promise<NonNullable<Value>> {
  const beganAt = performance.now();
  for (;;) {
    const found = await look();
    if (found) return found;
    const passedMs = performance.now() - beganAt;
    if (passedMs > timeoutMs) throw new Error(`It never happened: ${what}`);
    await sleep(Math.min(Math.max(passedMs / 4, SOONEST_MS), RAREST_MS));
  }
}
