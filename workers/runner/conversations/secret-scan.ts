import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sanitizeForPostgres } from '@/lib/platform/format/text';
import type { Redactor } from '@/lib/platform/redaction/redactor';

/** Lines between two pauses, so that events of running agents don't wait. */
const LINES_AT_ONCE = 20;

/**
 * Returns whether a conversation contains anything that the runner would redact. Its lines are
 * compared as data, since an escaped secret looks different.
 */
export async function containsSecret(conversation: string, redactor: Redactor): Promise<boolean> {
  const lines = conversation.split('\n');
  for (const [index, line] of lines.entries()) {
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await turn();
    if (line !== '' && isChanged(line, redactor)) return true;
  }
  return false;
}

function isChanged(line: string, redactor: Redactor): boolean {
  let record: unknown;
  try {
    // What the database can't store is replaced as well, and is no secret.
    record = JSON.parse(line, (_key, value: unknown) =>
      typeof value === 'string' ? sanitizeForPostgres(value) : value,
    );
  } catch {
    return redactor.text(line) !== line;
  }
  return !isDeepStrictEqual(redactor.value(record), record);
}
