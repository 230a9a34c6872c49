// Of result.ts only types: its code is the server's.

import type { ActionError, ActionResult } from './result';

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
