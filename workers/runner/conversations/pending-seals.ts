/** Conversations that are still to be sent, on disk: `<dir>/seals/<attempt>.json`. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { logger } from '@/lib/platform/logger';
import { writeWhole } from '../spool/attempt-spool';

const pendingSealSchema = z.object({
  attemptId: z.string(),
  configDir: z.string(),
  cliSessionId: z.string(),
  /** When the attempt's result was taken. */
  since: z.iso.datetime(),
});
export type PendingSeal = z.infer<typeof pendingSealSchema>;

export interface PendingSeals {
  /** Of this process and of those before it, oldest first. */
  list(): PendingSeal[];
  /** Never throws: without a free disk the conversation stays on this host alone. */
  add(pending: PendingSeal): void;
  remove(attemptId: string): void;
}

export function openPendingSeals(folder: string): PendingSeals {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fileOf = (attemptId: string) => path.join(folder, `${path.basename(attemptId)}.json`);
  return {
    list() {
      const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
      const found = names.flatMap((name) => {
        const parsed = pendingSealSchema.safeParse(readJson(path.join(folder, name)));
        return parsed.success ? [parsed.data] : [];
      });
      return found.toSorted((one, other) => one.since.localeCompare(other.since));
    },
    add(pending) {
      try {
        writeWhole(fileOf(pending.attemptId), pending);
      } catch (error) {
        const { attemptId } = pending;
        logger.warn({ attemptId, error: String(error) }, 'conversation can’t be sent: disk');
      }
    },
    remove: (attemptId) => rmSync(fileOf(attemptId), { force: true }),
  };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
