/**
 * Until when this runner may act for its attempts. The control plane renews a lease with every
 * heartbeat; the runner counts from the moment when it sent the heartbeat, so its own clock can only
 * be early.
 */

/** By both clocks: one stops while the host is suspended, the other can be set back. */
export interface LeaseMoment {
  wallMs: number;
  steadyMs: number;
}

export interface Leases {
  begin(attemptId: string, leaseSeconds: number): void;
  renew(attemptIds: readonly string[], sentAt: LeaseMoment): void;
  end(attemptId: string): void;
  isValid(attemptId: string): boolean;
}

/** For the claim's answer to arrive, and for a command to begin. */
const MARGIN_MS = 5_000;

export function leaseMoment(): LeaseMoment {
  return { wallMs: Date.now(), steadyMs: performance.now() };
}

export function createLeases(now: () => LeaseMoment = leaseMoment): Leases {
  const leases = new Map<string, { from: LeaseMoment; lengthMs: number }>();
  return {
    begin: (attemptId, leaseSeconds) =>
      void leases.set(attemptId, { from: now(), lengthMs: leaseSeconds * 1_000 - MARGIN_MS }),
    renew(attemptIds, sentAt) {
      for (const attemptId of attemptIds) {
        const lease = leases.get(attemptId);
        if (lease && sentAt.steadyMs > lease.from.steadyMs) lease.from = sentAt;
      }
    },
    end: (attemptId) => void leases.delete(attemptId),
    isValid(attemptId) {
      const lease = leases.get(attemptId);
      if (!lease) return false;
      const { from, lengthMs } = lease;
      const { wallMs, steadyMs } = now();
      return wallMs - from.wallMs < lengthMs && steadyMs - from.steadyMs < lengthMs;
    },
  };
}
