/** All spools of a runner: `<dir>/spool/<attemptId>/{spec.json,events.ndjson,result.json}`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { logger } from '@/lib/platform/logger';
import { type AttemptResult, attemptResultSchema } from '@/lib/protocol/schema';
import { type AttemptRecord, attemptRecordSchema } from './attempt-record';
import { type AttemptSpool, openAttemptSpool, writeWhole } from './attempt-spool';
import { openEventFile } from './event-file';

const RECORD_FILE = 'spec.json';

/** @throws the system's error when the disk has no room for it. */
export function createAttemptSpool(root: string, record: AttemptRecord): AttemptSpool {
  const folder = path.join(root, record.attemptId);
  if (existsSync(folder)) {
    logger.warn({ attemptId: record.attemptId }, 'older spool of the attempt discarded');
    rmSync(folder, { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeWhole(path.join(folder, RECORD_FILE), record);
  return openAttemptSpool({ folder, record });
}

/** What earlier processes of this runner did not deliver. Folders without a record are removed. */
export function openLeftSpools(root: string): AttemptSpool[] {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return readdirSync(root).flatMap((name) => {
    const folder = path.join(root, name);
    const record = attemptRecordSchema.safeParse(readJson(path.join(folder, RECORD_FILE)));
    if (!record.success) {
      logger.warn({ folder }, 'spool without a readable record discarded');
      rmSync(folder, { recursive: true, force: true });
      return [];
    }
    const left = { lastSeq: countEvents(folder), result: readResult(folder) };
    return [openAttemptSpool({ folder, record: record.data, left })];
  });
}

function countEvents(folder: string): number {
  const file = openEventFile(path.join(folder, 'events.ndjson'));
  const { skipped } = file.skip(0, Number.MAX_SAFE_INTEGER);
  file.close();
  return skipped;
}

function readResult(folder: string): AttemptResult | null {
  const parsed = attemptResultSchema.safeParse(readJson(path.join(folder, 'result.json')));
  return parsed.success ? parsed.data : null;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
