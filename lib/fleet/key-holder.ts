/**
 * Who may use a runner's key: one process at a time. A second host with the same key would claim and
 * run what the first one runs.
 */
import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { KeyHolder } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { ConflictError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { logger } from '@/lib/platform/logger';
import { enqueueAll } from '@/lib/platform/queue/enqueue';
import { isWithinLimit, REFUSALS_RECORDED } from '@/lib/platform/rate-limits';
import { KEY_IN_USE, LEASE_SECONDS } from '@/lib/protocol/schema';
import { findKeyHolder, moveKey, noteSecondHost } from './data';
import { runnerKeyShared } from './domain-events';

/** Names a runner process. Absent from runners older than version 1.2.0. */
export interface RunnerProcess {
  /** UUID, drawn at the start of the process. */
  processId: string;
  /** UUID in a file of the runner's folder, which a restart finds again. */
  instanceId: string;
}

/** Longer than the leases of the attempts that were renewed with the same request. */
const HELD_SECONDS = LEASE_SECONDS + 15;
/** A held key is renewed when less than this is left, so that most requests write nothing. */
const RENEW_BELOW_MS = (LEASE_SECONDS + 10) * 1_000;
/** A request waits for the renewal when less than this is left: its lease must not last longer. */
const WAIT_BELOW_MS = (LEASE_SECONDS + 5) * 1_000;

/**
 * Decides whether a process may use the key. The holder keeps it for HELD_SECONDS after its last
 * request, longer than its attempts may run. A restart in the same folder takes over at once; if the
 * replaced process then makes a request, both live, and the newer one is refused.
 *
 * @returns the new holder, null where nothing changes, or `refused`
 */
export function decideKeyHolder(
  holder: KeyHolder,
  process: RunnerProcess | null,
  now: Date,
): KeyHolder | 'refused' | null {
  const { keyHeldUntil } = holder;
  const isFree = keyHeldUntil === null || keyHeldUntil <= now;
  if (process === null) return isFree ? null : 'refused';
  const held = {
    ...holder,
    keyProcess: process.processId,
    keyInstance: process.instanceId,
    keyHeldUntil: new Date(now.getTime() + HELD_SECONDS * 1_000),
  };
  if (isFree) return { ...held, keyReplacedProcess: null, keyRefusedProcess: null };
  if (holder.keyProcess === process.processId) {
    return keyHeldUntil.getTime() - now.getTime() < RENEW_BELOW_MS ? held : null;
  }
  if (holder.keyReplacedProcess === process.processId) {
    return { ...held, keyReplacedProcess: null, keyRefusedProcess: holder.keyProcess };
  }
  const isRestart =
    holder.keyInstance === process.instanceId && holder.keyRefusedProcess !== process.processId;
  if (!isRestart) return 'refused';
  return { ...held, keyReplacedProcess: holder.keyProcess };
}

const MESSAGE = `Another process is using this runner’s key, so this one may not. A key belongs to one host: choose Add runner on the Runners page and run its command here. If the other host is gone, this one takes over ${HELD_SECONDS} s after its last request.`;

/**
 * Lets a process use the runner's key, or refuses it, and tells the organization then.
 *
 * @param known the holder as this request has found it
 * @throws ConflictError with the code `key_in_use` while another process holds the key
 */
export async function holdKey(
  scope: TenantScope,
  process: RunnerProcess | null,
  known: KeyHolder,
  now = new Date(),
): Promise<void> {
  const decided = decideKeyHolder(known, process, now);
  if (decided === null) return;
  const renewed = holdOrRefuse(scope, process, now);
  if (decided === 'refused' || mustWait(known, decided, now)) return renewed;
  // If another process has taken it in between, the next request finds that.
  renewed.catch((error: unknown) =>
    logger.warn({ runnerId: scope.actor.id, error: String(error) }, 'runner key not renewed'),
  );
}

/** Whether a request has to wait until the new holder is stored. */
export function mustWait(known: KeyHolder, decided: KeyHolder, now: Date): boolean {
  const leftMs = (known.keyHeldUntil?.getTime() ?? 0) - now.getTime();
  return known.keyProcess !== decided.keyProcess || leftMs < WAIT_BELOW_MS;
}

async function holdOrRefuse(
  scope: TenantScope,
  process: RunnerProcess | null,
  now: Date,
): Promise<void> {
  for (;;) {
    const outcome = await inTransaction(scope, async (db) => {
      const holder = await findKeyHolder(db, scope.actor.id);
      const decided = decideKeyHolder(holder, process, now);
      if (decided === null || decided === 'refused') return decided ?? 'held';
      // False: another request has changed it in between, so it is decided again.
      return (await moveKey(db, scope.actor.id, holder, decided)) ? 'held' : 'again';
    });
    if (outcome === 'held') return;
    if (outcome === 'again') continue;
    await reportSecondHost(scope, now).catch((error: unknown) =>
      logger.error({ runnerId: scope.actor.id, error: String(error) }, 'second host not reported'),
    );
    throw new ConflictError(MESSAGE, { code: KEY_IN_USE });
  }
}

/** Once an hour for each runner, since a refused host keeps asking. */
async function reportSecondHost(scope: TenantScope, now: Date): Promise<void> {
  const target = encodeId('rnr', scope.actor.id);
  const isRecorded = await isWithinLimit(REFUSALS_RECORDED, `second-host ${target}`);
  const jobs = await inTransaction(scope, async (db) => {
    await noteSecondHost(db, scope.actor.id, now);
    if (!isRecorded) return [];
    const { label: name } = scope.actor;
    await recordAudit(db, scope, {
      action: 'runner.second_host_refused',
      target,
      detail: { name },
    });
    return publish(db, scope, runnerKeyShared, { runnerId: scope.actor.id, name, at: now }, now);
  });
  await enqueueAll(jobs);
}
