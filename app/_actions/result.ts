import { AppError, ConflictError, type ErrorCode, InvalidError } from '@/lib/platform/errors';
import { outageOf } from '@/lib/platform/http/problem';
import { newRequestId } from '@/lib/platform/http/request-headers';
import { logger } from '@/lib/platform/logger';

export interface ActionError {
  code: ErrorCode | 'unknown';
  /** A sentence for the person. */
  message: string;
  /** Path of a field to what is wrong with it: `tiers.0.model`. */
  fields: Record<string, string>;
  /** Only for errors of ours, to find them in the log. */
  requestId: string | null;
  /** Only of a conflict: with what, such as the chain that is still running. */
  conflict?: Record<string, unknown>;
}

/** What every server action answers. `values` are what a form sent, so that it can keep them. */
export type ActionResult<Data> =
  | { ok: true; data: Data }
  | { ok: false; error: ActionError; values: Record<string, string> };

/** The message of an unknown error stays in the log. */
export function actionErrorOf(error: unknown): ActionError {
  if (error instanceof AppError) {
    const fields = error instanceof InvalidError ? error.fields : {};
    const conflict = error instanceof ConflictError ? { conflict: error.details } : {};
    return { code: error.code, message: error.message, fields, requestId: null, ...conflict };
  }
  const requestId = newRequestId();
  const outage = outageOf(error);
  if (outage) {
    logger.warn({ error: String(error), code: outage.code, requestId }, 'database unavailable');
    return { code: 'unknown', message: outage.detail, fields: {}, requestId: null };
  }
  logger.error({ err: error, requestId }, 'action failed');
  const message = `Something went wrong on our side. Try again, or send us request ${requestId}.`;
  return { code: 'unknown', message, fields: {}, requestId };
}
