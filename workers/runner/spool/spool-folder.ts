/** All spools of a runner: `<dir>/spool/<attemptId>/{spec.json,events.ndjson,result.json}`. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { logger } from '@/lib/platform/logger';
import { type AttemptResult, attemptResultSchema } from '@/lib/protocol/schema';
import { readJson, writeWhole } from '../files';
import {
  type AttemptRecord,
  type AttemptSpool,
  attemptRecordSchema,
  openAttemptSpool,
} from './attempt-spool';
import { openEventFile } from './event-file';

const RECORD_FILE = 'spec.json';

/** @throws the system's error when the disk has no room for it. */
export function createAttemptSpool(root: string, record: AttemptRecord): AttemptSpool {
  const folder = path.join(root, record.attemptId);
  if (existsSync(folder)) {
    logger.warn({ attemptId: record.attemptId }, 'older spool of the attempt discarded');
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(path.join(folder, RECORD_FILE), JSON.stringify(record));
    return openAttemptSpool({ folder, record });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

interface LeftSpools {
  spools: AttemptSpool[];
  /** Ids of attempts whose record can't be read. Nothing can be reported for them. */
  unreadable: string[];
}

/** What earlier processes of this runner did not deliver. */
export function openLeftSpools(root: string): LeftSpools {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const left: LeftSpools = { spools: [], unreadable: [] };
  for (const name of readdirSync(root)) {
    const folder = path.join(root, name);
    const record = attemptRecordSchema.safeParse(readJson(path.join(folder, RECORD_FILE)));
    if (record.success) {
      const there = { lastSeq: countEvents(folder), result: readResult(folder) };
      left.spools.push(openAttemptSpool({ folder, record: record.data, left: there }));
    } else {
      left.unreadable.push(name);
    }
  }
  return left;
}

/** For a person to look at; deleted with what the control plane refused, or if it is empty. */
export function setUnreadableAside(root: string, name: string, dir: string): void {
  const folder = path.join(root, name);
  if (existsSync(path.join(folder, 'events.ndjson'))) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    rmSync(path.join(dir, name), { recursive: true, force: true });
    renameSync(folder, path.join(dir, name));
  }
  rmSync(folder, { recursive: true, force: true });
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
