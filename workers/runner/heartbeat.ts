import { setTimeout as wait } from 'node:timers/promises';
import { logger } from '@/lib/platform/logger';
import { type Directive, HEARTBEAT_SECONDS, type HeartbeatBody } from '@/lib/protocol/schema';
import type { ControlPlane } from './control-plane/client';
import { isKeyInUse, isKeyRefused } from './control-plane/failure';
import { backoffMs } from './control-plane/retry-until-deadline';

const RETRY_MS = 3_000;

/** Says every 15 s that the runner lives and what it works on, apart from all work. */
export async function beat(options: {
  controlPlane: Pick<ControlPlane, 'heartbeat'>;
  /** The request body, built for each heartbeat. */
  body(): Promise<HeartbeatBody>;
  onDirectives(directives: Directive[]): void;
  /** The key no longer works. */
  onKeyRefused(): void;
  /** Another process holds the key. */
  onKeyInUse(): void;
  /** Resolves when there is something new to report, so that it isn't kept for the next heartbeat. */
  hasNews?(): Promise<void>;
  signal: AbortSignal;
}): Promise<void> {
  const { signal } = options;
  let failures = 0;
  let news: Promise<void> | null = null;
  while (!signal.aborted) {
    let delayMs = HEARTBEAT_SECONDS * 1_000;
    // Before the body is built, or news that arrives while it is sent would wait for the next one. Kept
    // until it resolves, since each call adds a waiter.
    news ??=
      options.hasNews?.().then(() => {
        news = null;
      }) ?? null;
    const awaited = news;
    try {
      options.onDirectives(await options.controlPlane.heartbeat(await options.body()));
      failures = 0;
    } catch (error) {
      if (isKeyRefused(error)) options.onKeyRefused();
      if (isKeyInUse(error)) options.onKeyInUse();
      failures += 1;
      // One alone is no news: both sides of `npm start` start at once.
      if (failures === 2) logger.warn({ error: String(error) }, 'heartbeat failed');
      delayMs = RETRY_MS + Math.random() * RETRY_MS;
    }
    const waited = new AbortController();
    const pause = wait(delayMs, undefined, { signal: AbortSignal.any([signal, waited.signal]) });
    await Promise.race([pause.catch(() => {}), ...(awaited ? [awaited] : [])]);
    waited.abort();
  }
}

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
