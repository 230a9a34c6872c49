/** The result of a failed call, and whether a retry can help. */

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

  /** Network trouble, overload and faults pass; a refusal stays one. */
  get isRetryable(): boolean {
    return this.status === null || this.status >= 500 || [408, 425, 429].includes(this.status);
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
