/**
 * Sends conversations of ended attempts to the control plane, which encrypts and keeps them so that
 * another host can continue. One at a time, and after everything that somebody waits for.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import type { KeptConversations } from '@/lib/agents/agent';
import { sanitizeForPostgres } from '@/lib/platform/format/text';
import { logger } from '@/lib/platform/logger';
import type { Redactor } from '@/lib/platform/redaction/redactor';
import { MAX_SEAL_BODY_BYTES, MAX_SEAL_BYTES, type SealRefusal } from '@/lib/protocol/seal';
import type { ControlPlane, PackedFile } from '../control-plane/client';
import { ControlPlaneError, isRetryable } from '../control-plane/failure';
import { backoffMs } from '../control-plane/retry-until-deadline';
import { readJson, writeWhole } from '../files';
import type { AttemptRecord } from '../spool/attempt-spool';
import { createWaker } from '../waker';
import { findKeptFiles } from './kept-files';

export interface Sealer {
  /** The attempt's result was taken. */
  add(record: Pick<AttemptRecord, 'attemptId' | 'configDir' | 'cliSessionId'>): void;
  /** Resolves once everything was sent, or after `timeoutMs`. */
  drained(timeoutMs: number): Promise<void>;
  /** Starts nothing more, and resolves once nothing is on its way. The next process sends the rest. */
  close(): Promise<void>;
}

const pack = promisify(gzip);
const RETRY = { firstMs: 500, maxMs: 60_000 };
/** No conversation is continued after that. */
const MAX_AGE_MS = 72 * 3_600_000;

export function startSealer(options: {
  /** The runner's own folder. */
  dir: string;
  conversations: readonly KeptConversations[];
  controlPlane: Pick<ControlPlane, 'keepSeal' | 'refuseSeal'>;
  /** Knows every secret of this host. */
  redactor(): Redactor;
}): Sealer {
  const { controlPlane, conversations } = options;
  const pending = openPendingSeals(path.join(options.dir, 'seals'));
  const work = createWaker();
  const sent = createWaker();
  let isClosed = false;
  let failures = 0;

  async function send({ attemptId, configDir, cliSessionId }: PendingSeal): Promise<void> {
    const [kept] = findKeptFiles({ configDir, conversations }, [cliSessionId]);
    // It wrote none, or nothing can continue it anymore.
    if (!kept) return;
    const packed = await packFile(kept.file, options.redactor());
    const refusal = typeof packed === 'string' ? packed : await keep(attemptId, packed);
    if (refusal) await controlPlane.refuseSeal(attemptId, refusal);
  }

  /** @returns why the installation doesn't keep it */
  async function keep(attemptId: string, file: PackedFile): Promise<SealRefusal | null> {
    try {
      await controlPlane.keepSeal(attemptId, file);
      return null;
    } catch (error) {
      if (isTooLarge(error)) return 'too_large';
      throw error;
    }
  }

  async function sendOrSkip(one: PendingSeal): Promise<void> {
    try {
      if (Date.now() - Date.parse(one.since) < MAX_AGE_MS) await send(one);
    } catch (error) {
      if (isRetryable(error)) throw error;
      // Deleted meanwhile, or unreadable: it stays on this host.
      logger.info({ attemptId: one.attemptId, error: String(error) }, 'conversation not kept');
    }
    pending.remove(one.attemptId);
    failures = 0;
    sent.wake();
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      const all = pending.list();
      // After a failure another one has its turn, in case it was about this one alone.
      const next = all[failures % all.length];
      if (!next) {
        await work.woken();
        continue;
      }
      try {
        await sendOrSkip(next);
      } catch (error) {
        if (failures === 0)
          logger.warn({ error: String(error) }, 'conversation not sent; will retry');
        const delay = backoffMs(failures, RETRY, Math.random());
        failures += 1;
        await work.woken(delay);
      }
    }
  }

  const running = run();

  return {
    add({ attemptId, configDir, cliSessionId }) {
      pending.add({ attemptId, configDir, cliSessionId, since: new Date().toISOString() });
      work.wake();
    },
    async drained(timeoutMs) {
      const until = Date.now() + timeoutMs;
      while (pending.list().length > 0 && Date.now() < until) {
        await sent.woken(until - Date.now());
      }
    },
    async close() {
      isClosed = true;
      work.wake();
      await running;
    },
  };
}

async function packFile(file: string, redactor: Redactor): Promise<PackedFile | SealRefusal> {
  if ((await stat(file)).size > MAX_SEAL_BYTES) return 'too_large';
  const content = await readFile(file);
  if (await containsSecret(content.toString('utf8'), redactor)) return 'secrets';
  const packed = await pack(content);
  if (packed.length > MAX_SEAL_BODY_BYTES) return 'too_large';
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { packed, bytes: content.length, sha256 };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ControlPlaneError && error.status === 413;
}

// Conversations that are still to be sent, on disk: `<dir>/seals/<attempt>.json`.

const pendingSealSchema = z.object({
  attemptId: z.string(),
  configDir: z.string(),
  cliSessionId: z.string(),
  /** When the attempt's result was taken. */
  since: z.iso.datetime(),
});
type PendingSeal = z.infer<typeof pendingSealSchema>;

export interface PendingSeals {
  /** Of this process and of those before it, oldest first. */
  list(): PendingSeal[];
  /** Never throws: without a free disk the conversation stays on this host alone. */
  add(pending: PendingSeal): void;
  remove(attemptId: string): void;
}

function openPendingSeals(folder: string): PendingSeals {
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
        writeWhole(fileOf(pending.attemptId), JSON.stringify(pending));
      } catch (error) {
        const { attemptId } = pending;
        logger.warn({ attemptId, error: String(error) }, 'conversation can’t be sent: disk');
      }
    },
    remove: (attemptId) => rmSync(fileOf(attemptId), { force: true }),
  };
}

/** Lines between two pauses, so that events of running agents don't wait. */
const LINES_AT_ONCE = 20;

/**
 * Returns whether a conversation contains anything that the runner would redact. Its lines are
 * compared as data, since an escaped secret looks different.
 */
async function containsSecret(conversation: string, redactor: Redactor): Promise<boolean> {
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
