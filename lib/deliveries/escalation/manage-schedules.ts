/** On-call schedules: who is notified when. */

import { v7 as uuidv7 } from 'uuid';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, NotFoundError } from '@/lib/platform/errors';
import { encodeId, requireId } from '@/lib/platform/ids';
import { requireChannels, requireNewName } from './checks';
import {
  deleteScheduleRow,
  insertSchedule,
  listPolicyRows,
  listScheduleRows,
  type StoredSchedule,
  updateSchedule as writeSchedule,
} from './data';
import { type OnCall, onCallNow } from './on-call';
import type { OnCallDto, ScheduleDto, ScheduleInput } from './schema';

const MAX_SCHEDULES = 50;

/** Returns every schedule of the organization, by name, each with who is on call now. */
export function listSchedules(scope: TenantScope, now = new Date()): Promise<ScheduleDto[]> {
  return inTransaction(scope, async (db) =>
    (await listScheduleRows(db)).map((row) => toDto(row, now)),
  );
}

/** @param scheduleId `ocs_…` @throws NotFoundError */
export function getSchedule(
  scope: TenantScope,
  scheduleId: string,
  now = new Date(),
): Promise<ScheduleDto> {
  const id = requireId('ocs', scheduleId);
  return inTransaction(scope, async (db) => toDto(await getRow(db, id), now));
}

/** @throws InvalidError for a name that another schedule has, or a channel that isn't there */
export function createSchedule(
  scope: TenantScope,
  input: ScheduleInput,
  now = new Date(),
): Promise<ScheduleDto> {
  requireMay(scope, 'channel.manage');
  return inTransaction(scope, async (db) => {
    const others = await listScheduleRows(db);
    if (others.length >= MAX_SCHEDULES) {
      throw new ConflictError(
        `An organization has at most ${MAX_SCHEDULES} on-call schedules. Delete one first.`,
      );
    }
    requireNewName(others, input.name, null);
    await requireShiftChannels(db, input);
    const row = { ...input, id: uuidv7(), createdAt: now };
    await insertSchedule(db, scope.organizationId, row);
    await recordAudit(db, scope, {
      action: 'oncall_schedule.created',
      target: encodeId('ocs', row.id),
      detail: { after: input },
    });
    return toDto(row, now);
  });
}

/** Replaces a schedule as a whole. @throws NotFoundError, InvalidError */
export function updateSchedule(
  scope: TenantScope,
  scheduleId: string,
  input: ScheduleInput,
  now = new Date(),
): Promise<ScheduleDto> {
  requireMay(scope, 'channel.manage');
  const id = requireId('ocs', scheduleId);
  return inTransaction(scope, async (db) => {
    const before = await getRow(db, id);
    requireNewName(await listScheduleRows(db), input.name, id);
    await requireShiftChannels(db, input);
    await writeSchedule(db, id, input);
    const { name, timeZone, shifts } = before;
    await recordAudit(db, scope, {
      action: 'oncall_schedule.updated',
      target: scheduleId,
      detail: { before: { name, timeZone, shifts }, after: input },
    });
    return toDto({ ...before, ...input }, now);
  });
}

/** @throws ConflictError while a policy names it */
export function deleteSchedule(scope: TenantScope, scheduleId: string): Promise<void> {
  requireMay(scope, 'channel.manage');
  const id = requireId('ocs', scheduleId);
  return inTransaction(scope, async (db) => {
    const { name, timeZone, shifts } = await getRow(db, id);
    const users = (await listPolicyRows(db)).filter(({ steps }) =>
      steps.some((step) => step.scheduleId === scheduleId),
    );
    if (users.length > 0) {
      const names = users.map((policy) => policy.name).join(', ');
      throw new ConflictError(
        `The schedule can’t be deleted while escalation policies use it: ${names}. Choose another schedule there first.`,
      );
    }
    await deleteScheduleRow(db, id);
    await recordAudit(db, scope, {
      action: 'oncall_schedule.deleted',
      target: scheduleId,
      detail: { before: { name, timeZone, shifts } },
    });
  });
}

async function getRow(db: TenantDb, id: string): Promise<StoredSchedule> {
  const row = (await listScheduleRows(db)).find((each) => each.id === id);
  if (!row) throw new NotFoundError();
  return row;
}

function requireShiftChannels(db: TenantDb, { shifts }: ScheduleInput): Promise<void> {
  return requireChannels(
    db,
    shifts.map(({ channelIds }, index) => ({ path: `shifts.${index}.channelIds`, channelIds })),
  );
}

function toDto(row: StoredSchedule, now: Date): ScheduleDto {
  const { name, timeZone, shifts, createdAt } = row;
  const onCall = onCallNow(row, now);
  return {
    id: encodeId('ocs', row.id),
    ...{ name, timeZone, shifts },
    now: onCallDto(onCall.now),
    next: onCall.next && onCallDto(onCall.next),
    hasGaps: onCall.hasGaps,
    createdAt: createdAt.toISOString(),
  };
}

function onCallDto({ shifts, from, until }: OnCall): OnCallDto {
  return {
    names: [...new Set(shifts.map(({ name }) => name))],
    from: from.toISOString(),
    until: until?.toISOString() ?? null,
  };
}
