/** Escalation policies and on-call schedules: who may change them, and what they may name. */
import { describe, expect, it } from 'vitest';
import {
  createChannel,
  deleteChannel,
  listChannels,
} from '@/lib/deliveries/channels/manage-channels';
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  updatePolicy,
} from '@/lib/deliveries/escalation/manage-policies';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  updateSchedule,
} from '@/lib/deliveries/escalation/manage-schedules';
import type { PolicyInput, ScheduleInput } from '@/lib/deliveries/escalation/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { refusalOf as codeOf } from '../engine/support/running';

useTestDatabase();

/** Like a promise that rejects: some are refused before there is one. */
const refusalOf = (work: () => Promise<unknown>) => codeOf(Promise.resolve().then(work));

async function channelOf(scope: TenantScope): Promise<string> {
  const { id } = await createChannel(scope, {
    name: 'Slack',
    settings: {
      ...{ kind: 'apprise', serverUrl: 'https://apprise.example' },
      ...{ urls: ['slack://a/b'], configKey: null, tags: null },
    },
    ...{ outcomes: ['needs_human'], eventTypes: [], projectId: null },
  });
  return id;
}

function policyOf(channelId: string, changes: Partial<PolicyInput> = {}): PolicyInput {
  return {
    name: 'Nights',
    steps: [{ afterMinutes: 5, scheduleId: null, channelIds: [channelId] }],
    ...{ repeatTimes: 0, repeatMinutes: 30, projectIds: [] },
    ...changes,
  };
}

function scheduleOf(channelId: string, changes: Partial<ScheduleInput> = {}): ScheduleInput {
  return {
    ...{ name: 'Primary', timeZone: 'UTC' },
    shifts: [{ name: 'Ana', days: ['thu'], from: '09:00', to: '17:00', channelIds: [channelId] }],
    ...changes,
  };
}

async function actionsOf(scope: TenantScope): Promise<string[]> {
  const rows = await inTransaction(scope, (db) =>
    db.auditLog.findMany({ orderBy: { seq: 'asc' }, select: { action: true } }),
  );
  return rows
    .map(({ action }) => action)
    .filter((action) => /^(?:escalation_policy|oncall_schedule)\./.test(action));
}

describe('[INC-2.2] escalation policies', () => {
  it('are created, replaced and deleted, each with an entry in the audit log', async () => {
    const { alice, projectSlug, projectId } = await makeCast();
    const channelId = await channelOf(alice);
    const { id } = await createPolicy(alice, policyOf(channelId, { projectIds: [projectSlug] }));
    expect(await getPolicy(alice, id)).toMatchObject({
      name: 'Nights',
      projectIds: [encodeId('prj', projectId)],
    });
    await updatePolicy(alice, id, policyOf(channelId, { name: 'Days', repeatTimes: 2 }));
    expect(await listPolicies(alice)).toMatchObject([
      { name: 'Days', repeatTimes: 2, projectIds: [] },
    ]);
    await deletePolicy(alice, id);
    expect(await refusalOf(() => getPolicy(alice, id))).toBe('not_found');
    expect(await actionsOf(alice)).toEqual([
      'escalation_policy.created',
      'escalation_policy.updated',
      'escalation_policy.deleted',
    ]);
  });

  it('are changed by admins only, and don’t exist for strangers', async () => {
    const { alice } = await makeCast();
    const { alice: stranger } = await makeCast();
    const channelId = await channelOf(alice);
    const { id } = await createPolicy(alice, policyOf(channelId));
    const viewer: TenantScope = { ...alice, role: 'viewer' };
    expect(await listPolicies(viewer)).toHaveLength(1);
    for (const [scope, code] of [
      [viewer, 'forbidden'],
      [stranger, 'not_found'],
    ] as const) {
      expect(await refusalOf(() => updatePolicy(scope, id, policyOf(channelId)))).toBe(code);
      expect(await refusalOf(() => deletePolicy(scope, id))).toBe(code);
    }
    expect(await refusalOf(() => createPolicy(viewer, policyOf(channelId)))).toBe('forbidden');
    expect(await listPolicies(stranger)).toEqual([]);
  });

  it('name no channel, schedule or project of another organization', async () => {
    const { alice } = await makeCast();
    const other = await makeCast();
    const [own, foreign] = [await channelOf(alice), await channelOf(other.alice)];
    const { id: scheduleId } = await createSchedule(other.alice, scheduleOf(foreign));
    const steps = [{ afterMinutes: 5, scheduleId, channelIds: [own] }];
    expect(await refusalOf(() => createPolicy(alice, policyOf(foreign)))).toBe('invalid');
    expect(await refusalOf(() => createPolicy(alice, policyOf(own, { steps })))).toBe('invalid');
    const projectIds = [encodeId('prj', other.projectId)];
    expect(await refusalOf(() => createPolicy(alice, policyOf(own, { projectIds })))).toBe(
      'not_found',
    );
    expect(await listPolicies(alice)).toEqual([]);
  });

  it('keep the channels that they name from being deleted, and so do schedules', async () => {
    const { alice } = await makeCast();
    const channelId = await channelOf(alice);
    const { id } = await createPolicy(alice, policyOf(channelId));
    const schedule = await createSchedule(alice, scheduleOf(channelId));
    const refusal = deleteChannel(alice, channelId);
    await expect(refusal).rejects.toThrow(
      /escalation policies: Nights; on-call schedules: Primary\./,
    );
    await deletePolicy(alice, id);
    await expect(deleteChannel(alice, channelId)).rejects.toThrow(
      /by on-call schedules: Primary\./,
    );
    await deleteSchedule(alice, schedule.id);
    await deleteChannel(alice, channelId);
    expect(await listChannels(alice)).toEqual([]);
  });

  it('have names of their own, and a project uses at most one', async () => {
    const { alice, projectSlug } = await makeCast();
    const channelId = await channelOf(alice);
    await createPolicy(alice, policyOf(channelId, { projectIds: [projectSlug] }));
    expect(await refusalOf(() => createPolicy(alice, policyOf(channelId)))).toBe('invalid');
    const second = policyOf(channelId, { name: 'Days', projectIds: [projectSlug] });
    expect(await refusalOf(() => createPolicy(alice, second))).toBe('conflict');
    expect(await listPolicies(alice)).toHaveLength(1);
  });
});

describe('[INC-2.2] on-call schedules', () => {
  it('say who is on call, and are changed with entries in the audit log', async () => {
    const { alice } = await makeCast();
    const channelId = await channelOf(alice);
    const thursday = new Date('2026-11-26T12:00Z');
    const { id } = await createSchedule(alice, scheduleOf(channelId));
    expect(await getSchedule(alice, id, thursday)).toMatchObject({
      now: { names: ['Ana'], until: '2026-11-26T17:00:00.000Z' },
      next: { names: [], from: '2026-11-26T17:00:00.000Z', until: '2026-12-03T09:00:00.000Z' },
      hasGaps: true,
    });
    await updateSchedule(alice, id, scheduleOf(channelId, { timeZone: 'Asia/Tokyo' }));
    expect(await listSchedules(alice, thursday)).toMatchObject([{ now: { names: [] } }]);
    await deleteSchedule(alice, id);
    expect(await refusalOf(() => getSchedule(alice, id))).toBe('not_found');
    expect(await actionsOf(alice)).toEqual([
      'oncall_schedule.created',
      'oncall_schedule.updated',
      'oncall_schedule.deleted',
    ]);
  });

  it('are changed by admins only, and don’t exist for strangers', async () => {
    const { alice } = await makeCast();
    const { alice: stranger } = await makeCast();
    const channelId = await channelOf(alice);
    const { id } = await createSchedule(alice, scheduleOf(channelId));
    const viewer: TenantScope = { ...alice, role: 'viewer' };
    for (const [scope, code] of [
      [viewer, 'forbidden'],
      [stranger, 'not_found'],
    ] as const) {
      expect(await refusalOf(() => updateSchedule(scope, id, scheduleOf(channelId)))).toBe(code);
      expect(await refusalOf(() => deleteSchedule(scope, id))).toBe(code);
    }
    expect(await refusalOf(() => createSchedule(stranger, scheduleOf(channelId)))).toBe('invalid');
    expect(await listSchedules(stranger)).toEqual([]);
  });

  it('stay while a policy uses them', async () => {
    const { alice } = await makeCast();
    const channelId = await channelOf(alice);
    const { id } = await createSchedule(alice, scheduleOf(channelId));
    const steps = [{ afterMinutes: 5, scheduleId: id, channelIds: [channelId] }];
    const policy = await createPolicy(alice, policyOf(channelId, { steps }));
    expect(await refusalOf(() => deleteSchedule(alice, id))).toBe('conflict');
    await deletePolicy(alice, policy.id);
    expect(await refusalOf(() => deleteSchedule(alice, id))).toBe('none');
  });
});
