/** A conversation that tier 1 held on one host of a pool, and a second host of that pool. */
import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { recordHeartbeat } from '@/lib/engine/directives';
import { keepSeal } from '@/lib/engine/seals/keep-seal';
import type { PackedConversation } from '@/lib/engine/seals/schema';
import { scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { startOne } from '@/tests/integration/engine/support/running';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, enrolTestRunner, makeCast } from '@/tests/support/cast/organization';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';

export interface Held {
  cast: Cast;
  chainId: string;
  /** What tier 1 started with, on `runner-1`. */
  first: AttemptSpec;
  file: PackedConversation;
  /** `runner-2`, of the same pool. */
  other: TenantScope;
  otherKey: string;
}

/** Lines that don't compress to nothing. */
export function conversationFile(lines = 40): PackedConversation {
  const content = Buffer.from(
    Array.from({ length: lines }, () => `{"text":"${randomBytes(60).toString('hex')}"}\n`).join(''),
  );
  return {
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    packed: gzipSync(content),
  };
}

/** Tier 1 ran and asked for help; its conversation is sealed unless `keep` is false. */
export async function holdConversation({
  cast,
  keep = true,
}: {
  cast?: Cast;
  keep?: boolean;
} = {}): Promise<Held> {
  const played = cast ?? (await makeCast());
  const otherKey = await enrolTestRunner(played.alice, 'runner-2');
  const other = await scopeOfRunner(otherKey);
  await recordHeartbeat(other, { protocol: 1, capabilities: TEST_CAPABILITIES, running: [] });
  const chainId = await startOne(played);
  const first = await claimNext(played.runner);
  const file = conversationFile();
  const transcript = { bytes: file.bytes, sha256: file.sha256 };
  await play(played.runner, first, { report: wantsHelp(), result: { transcript } });
  if (keep) await keepSeal(played.runner, first.attemptId, file);
  return { cast: played, chainId, first, file, other, otherKey };
}

/** Work no longer reaches `runner-1`, and what waits for it is released, as by the sweep. */
export async function makeUnavailable(
  { cast }: Pick<Held, 'cast'>,
  how: 'offline' | 'revoked' | 'draining',
): Promise<void> {
  const now = new Date();
  const changes = {
    offline: { lastSeenAt: new Date(now.getTime() - 600_000) },
    revoked: { revokedAt: now },
    draining: { drainingAt: now },
  };
  await inTransaction(cast.alice, async (db) => {
    await db.runner.updateMany({ where: { name: 'runner-1' }, data: changes[how] });
    await db.attempt.updateMany({ where: { status: 'queued' }, data: { requiredRunnerId: null } });
  });
}
