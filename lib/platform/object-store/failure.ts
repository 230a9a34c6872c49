/** What an error of the S3 client means. Its messages differ between stores, so none is read. */

/** `away`: may work later. `refused`: not until someone has changed the configuration. */
export type FailureKind = 'away' | 'refused';

const REFUSALS = new Set([
  'AccessDenied',
  'AuthorizationHeaderMalformed',
  'InvalidAccessKeyId',
  'InvalidBucketName',
  'NoSuchBucket',
  'NotImplemented',
  'SignatureDoesNotMatch',
]);

export function failureKind(error: unknown): FailureKind {
  return REFUSALS.has(failureName(error)) || statusOf(error) === 403 ? 'refused' : 'away';
}

/** Returns the short name of an error: `NoSuchKey`, `ECONNREFUSED`. */
export function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name !== 'Error') return error.name;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('$metadata' in error)) return null;
  const metadata: unknown = error.$metadata;
  if (typeof metadata !== 'object' || metadata === null) return null;
  const { httpStatusCode } = metadata as { httpStatusCode?: unknown };
  // A clock that differs is answered with 403 as well, and the client corrects itself.
  const isClock = error.name === 'RequestTimeTooSkewed';
  return typeof httpStatusCode === 'number' && !isClock ? httpStatusCode : null;
}
