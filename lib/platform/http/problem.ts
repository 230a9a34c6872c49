import { z } from 'zod';
import { isDatabaseAway, isDatabaseDiskFull } from '../db/database-away';
import { AppError, type ErrorCode } from '../errors';
import { logger } from '../logger';
import { REQUEST_ID_HEADER } from './request-headers';

const STATUS: Record<ErrorCode, number> = {
  not_found: 404,
  forbidden: 403,
  unauthenticated: 401,
  conflict: 409,
  invalid: 422,
  limit_exceeded: 429,
  precondition_failed: 412,
  unavailable: 503,
  proof_required: 403,
  second_factor_required: 403,
};

const TITLE: Record<number, string> = {
  400: 'The request is malformed',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'Removed',
  412: 'Precondition failed',
  413: 'The request is too large',
  415: 'Wrong content type',
  422: 'The request is not valid',
  429: 'Too many requests',
  500: 'Something went wrong on our side',
  503: 'Temporarily unavailable',
};

/** What to tell about an error by which the database saved nothing; null for other errors. */
export function outageOf(error: unknown) {
  if (isDatabaseAway(error)) {
    const detail =
      'The database isn’t responding. Nothing was changed. Try again in a few seconds.';
    return { code: 'database_away', detail, retryAfterSeconds: 2 };
  }
  if (isDatabaseDiskFull(error)) {
    const detail =
      'The disk of the database is full, so nothing can be saved. Nothing was changed. Free some space on it, then try again.';
    return { code: 'disk_full', detail, retryAfterSeconds: 30 };
  }
  return null;
}

/** RFC 9457. Further members, such as the id in the way, come from the error's details. */
export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  requestId: z.string(),
  /** Path of a field to what is wrong with it. */
  fields: z.record(z.string(), z.string()).optional(),
});
type Problem = z.infer<typeof problemSchema>;

/** Turns whatever was thrown into an answer; the message of an unknown error stays in the log. */
function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof AppError) {
    // A caller that branches on the reason gets it as the code: why a claim is refused.
    const { code = error.code } = error.details;
    return problem(STATUS[error.code], String(code), error.message, requestId, error.details);
  }
  if (error instanceof HttpError) {
    return problem(error.status, 'malformed', error.message, requestId, error.details);
  }
  const outage = outageOf(error);
  if (outage) {
    const { code, detail, retryAfterSeconds } = outage;
    logger.warn({ error: String(error), code, requestId }, 'database unavailable');
    return problem(503, code, detail, requestId, { retryAfterSeconds });
  }
  logger.error({ err: error, requestId }, 'request failed');
  const detail = `Something went wrong on our side. Try again, or send us request ${requestId}.`;
  return problem(500, 'unknown', detail, requestId);
}

export function problemResponse(error: unknown, requestId: string): Response {
  const body = problemOf(error, requestId);
  const headers = new Headers({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    [REQUEST_ID_HEADER]: requestId,
  });
  if (body.status === 401) headers.set('www-authenticate', 'Bearer');
  if (typeof body.allow === 'string') headers.set('allow', body.allow);
  if (typeof body.retryAfterSeconds === 'number') {
    headers.set('retry-after', String(body.retryAfterSeconds));
  }
  return new Response(JSON.stringify(body), { status: body.status, headers });
}

function problem(
  status: number,
  code: string,
  detail: string,
  requestId: string,
  details: Record<string, unknown> = {},
): Problem {
  const title = TITLE[status] ?? 'Failed';
  return {
    ...details,
    type: `urn:tierwatch:problem:${code}`,
    title,
    status,
    detail,
    code,
    requestId,
  };
}

/** What only HTTP can get wrong: the message before anyone understood it. */
export class HttpError extends Error {
  constructor(
    readonly status: 400 | 405 | 410 | 413 | 415,
    message: string,
    /** Extra facts for the answer: the fields that are wrong. */
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'HttpError';
  }
}
