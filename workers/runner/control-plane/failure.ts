/** The result of a failed call, and whether a retry can help. */

import { KEY_IN_USE } from '@/lib/protocol/schema';

export class ControlPlaneError extends Error {
  override name = 'ControlPlaneError';
  constructor(
    message: string,
    /** HTTP status; null when no answer came. */
    readonly status: number | null,
    /** `code` of the problem answer, if it had one. */
    readonly code: string | null = null,
  ) {
    super(message);
  }

  /** Network trouble, overload and faults pass, and so may another holder of the key. */
  get isRetryable(): boolean {
    if (this.isKeyInUse) return true;
    return this.status === null || this.status >= 500 || [408, 425, 429].includes(this.status);
  }

  /** Another process holds the runner's key: this one must not work until that is gone. */
  get isKeyInUse(): boolean {
    return this.status === 409 && this.code === KEY_IN_USE;
  }

  /** The key is wrong or was revoked: the control plane refuses everything this runner sends. */
  get isUnauthorized(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

/** Reported by the control plane itself; a proxy's 401 has no such code. */
export function isKeyRefused(error: unknown): boolean {
  const isOurs = error instanceof ControlPlaneError && error.code === 'unauthenticated';
  return isOurs && error.status === 401;
}

/** A control plane of a version that does not have this call. */
export function isUnknownCall(error: unknown): boolean {
  return error instanceof ControlPlaneError && (error.status === 404 || error.status === 405);
}

export function isRetryable(error: unknown): boolean {
  return error instanceof ControlPlaneError && error.isRetryable;
}

export function isKeyInUse(error: unknown): boolean {
  return error instanceof ControlPlaneError && error.isKeyInUse;
}
