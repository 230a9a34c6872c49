/**
 * The file an agent leaves for the next tier. It counts only after a clean end, is read once, and
 * never outlives its attempt, whose state folder is removed with everything in it.
 */

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs';
import type { ResultEvent } from '@/lib/protocol/events';
import type { AttemptResult, HandoffFile } from '@/lib/protocol/schema';

const MAX_BYTES = 1_000_000;

interface EndOfAttempt {
  exit: AttemptResult['exit'];
  stopCause: AttemptResult['stopCause'];
  lastResult: ResultEvent | null;
}

/** Why a file left by an attempt with this end does not count; null when it does. */
function whyNotRead({ exit, stopCause, lastResult }: EndOfAttempt): string | null {
  if (stopCause !== null) return `The attempt was stopped (${stopCause}).`;
  if (exit?.code !== 0) return 'The agent did not exit with code 0.';
  if (lastResult === null) return 'The agent ended without a result.';
  if (lastResult.isError || lastResult.subtype !== 'success') {
    return `The agent's result is an error (${lastResult.subtype}).`;
  }
  return null;
}

export function takeHandoffFile(file: string, end: EndOfAttempt): HandoffFile {
  const found = look(file);
  if (found === null) return { state: 'absent' };
  const why = whyNotRead(end);
  if (why !== null) return { state: 'deleted_unread', why };
  const unusable = whyUnusable(found);
  if (unusable !== null) return { state: 'unreadable', error: unusable };
  try {
    return { state: 'read', content: readOwn(file) };
  } catch (error) {
    return { state: 'unreadable', error: error instanceof Error ? error.message : String(error) };
  }
}

function look(file: string): Stats | null {
  try {
    return lstatSync(file);
  } catch {
    return null;
  }
}

function whyUnusable(found: Stats): string | null {
  if (found.isSymbolicLink()) return 'handoff.json is a symbolic link.';
  if (found.isDirectory()) return 'handoff.json is a directory.';
  if (!found.isFile()) return 'handoff.json is not a regular file.';
  if (found.nlink > 1) return 'handoff.json is a hard link to another file.';
  if (found.size > MAX_BYTES) {
    return `handoff.json has ${found.size} bytes; at most ${MAX_BYTES} are read.`;
  }
  return null;
}

/** Refuses a link also when it was put there after the look. */
function readOwn(file: string): string {
  const descriptor = openSync(
    file,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    const unusable = whyUnusable(fstatSync(descriptor));
    if (unusable !== null) throw new Error(unusable);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
