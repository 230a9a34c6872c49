import { setTimeout as wait } from 'node:timers/promises';
import type { Directive } from '@/lib/protocol/schema';
import { backoffMs } from './control-plane/backoff';
import type { ControlPlane } from './control-plane/client';
import { isKeyRefused } from './control-plane/failure';

const RETRY = { firstMs: 250, maxMs: 5_000 };
/** An answer that came sooner and says nothing new was not held: the control plane is going down. */
const HELD_MS = 1_000;

/** Keeps one request open for directives, so that a stop arrives at once and not with a heartbeat. */
export async function listenForDirectives(options: {
  controlPlane: Pick<ControlPlane, 'directives'>;
  /** Everything that holds now. */
  onDirectives(directives: Directive[]): void;
  /** The key no longer works. */
  onKeyRefused(): void;
  signal: AbortSignal;
}): Promise<void> {
  const { signal } = options;
  let failures = 0;
  let seen: string | null = null;
  while (!signal.aborted) {
    const askedAt = Date.now();
    try {
      const { directives, digest = null } = await options.controlPlane.directives(seen, signal);
      options.onDirectives(directives);
      const isNews = digest === null ? directives.length > 0 : digest !== seen;
      failures = isNews || Date.now() - askedAt > HELD_MS ? 0 : failures + 1;
      seen = digest;
    } catch (error) {
      if (isKeyRefused(error)) options.onKeyRefused();
      failures += 1;
    }
    if (failures === 0) continue;
    const delayMs = backoffMs(failures - 1, RETRY, Math.random());
    await wait(delayMs, undefined, { signal }).catch(() => {});
  }
}
