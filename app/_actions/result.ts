import { AppError, type ErrorCode, InvalidError } from '@/lib/platform/errors';
import { newRequestId } from '@/lib/platform/http/request-id';
import { logger } from '@/lib/platform/logger';

export interface ActionError {
  code: ErrorCode | 'unknown';
  /** A sentence for the person. */
  message: string;
  /** Path of a field to what is wrong with it: `tiers.0.model`. */
  fields: Record<string, string>;
  /** Only for errors of ours, to find them in the log. */
  requestId: string | null;
}

/** What every server action answers. `values` are what a form sent, so that it can keep them. */
export type ActionResult<Data> =
  | { ok: true; data: Data }
  | { ok: false; error: ActionError; values: Record<string, string> };

/** The message of an unknown error stays in the log. */
export function actionErrorOf(error: unknown): ActionError {
  if (error instanceof AppError) {
    const fields = error instanceof InvalidError ? error.fields : {};
    return { code: error.code, message: error.message, fields, requestId: null };
  }
  const requestId = newRequestId();
  logger.error({ err: error, requestId }, 'an action failed');
  const message = `Something went wrong on our side. Try again, or send us request ${requestId}.`;
  return { code: 'unknown', message, fields: {}, requestId };
}

interface FormError {
  /** The id of the control; null for an error of the whole form. */
  fieldId: string | null;
  message: string;
}

/** What a form shows after an answer: errors by field, all of them above it, values to keep. */
interface FormState {
  fields: Record<string, string | undefined>;
  summary: FormError[];
  values: Record<string, string | undefined>;
}

export function formStateOf(result: ActionResult<unknown> | null): FormState {
  if (!result || result.ok) return { fields: {}, summary: [], values: {} };
  const { error, values } = result;
  return { fields: error.fields, summary: summaryOf(error), values };
}

/** A field's name is its control's id. */
function summaryOf(error: ActionError): FormError[] {
  const fields = Object.entries(error.fields).filter(([name]) => name !== '');
  if (fields.length === 0) return [{ fieldId: null, message: error.message }];
  return fields.map(([fieldId, message]) => ({ fieldId, message }));
}
