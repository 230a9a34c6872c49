import { toPauseDto } from '@/lib/identity/pauses/schema';
import { encodeId } from '@/lib/platform/ids';
import { postureSchema } from '@/lib/protocol/schema';
import type { RunnerRow } from './data';
import { runnerProblems } from './problems';
import type { RunnerDto } from './schema';
import { runnerStatus } from './status';

/** @param inHand attempts in hand by runner id */
export function toRunnerDto(
  row: RunnerRow,
  inHand: ReadonlyMap<string, number>,
  now: Date,
): RunnerDto {
  const posture = postureSchema.safeParse(row.posture).data ?? null;
  const status = runnerStatus(row, now);
  const { clockSkewMs } = row;
  return {
    id: encodeId('rnr', row.id),
    name: row.name,
    enrolmentId: row.tokens[0] ? encodeId('enr', row.tokens[0].id) : null,
    pool: row.pool.name,
    allowedTiers: row.allowedTiers,
    status,
    slots: row.slots,
    slotLimit: row.slotLimit,
    slotsInUse: inHand.get(row.id) ?? 0,
    problems: runnerProblems({ status, posture, clockSkewMs }),
    posture,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    pause: toPauseDto(row),
    drainingAt: row.drainingAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    keyChangedAt: row.keyChangedAt?.toISOString() ?? null,
    rotationRequestedAt: row.rotationRequestedAt?.toISOString() ?? null,
  };
}
