/**
 * Sends conversations of ended attempts to the control plane, which encrypts and keeps them so that
 * another host can continue. One at a time, and after everything that somebody waits for.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { KeptConversations } from '@/lib/agents/agent';
import { logger } from '@/lib/platform/logger';
import type { Redactor } from '@/lib/platform/redaction/redactor';
import { MAX_SEAL_BODY_BYTES, MAX_SEAL_BYTES, type SealRefusal } from '@/lib/protocol/seal';
import { backoffMs } from '../control-plane/backoff';
import type { ControlPlane, PackedFile } from '../control-plane/client';
import { ControlPlaneError, isRetryable } from '../control-plane/failure';
import type { AttemptRecord } from '../spool/attempt-record';
import { createWaker } from '../waker';
import { findKeptFiles } from './kept-files';
import { openPendingSeals, type PendingSeal } from './pending-seals';
import { containsSecret } from './secret-scan';

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
