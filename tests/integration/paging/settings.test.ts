/** Paging policies: who may change them, and what they may name. */
import { describe, expect, it } from 'vitest';
import {
  createChannel,
  deleteChannel,
  listChannels,
} from '@/lib/deliveries/channels/manage-channels';
import { endRun, writeRun } from '@/lib/paging/data';
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  updatePolicy,
} from '@/lib/paging/manage-policies';
import { type PolicyInput, planSchema, policyInputSchema } from '@/lib/paging/schema';
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
    steps: [{ afterMinutes: 5, calendarId: null, memberIds: [], channelIds: [channelId] }],
    ...{ repeatTimes: 0, repeatMinutes: 30, projectIds: [] },
    ...changes,
  };
}

const CALENDAR = 'https://calendar.example/private-abc/basic.ics';

async function actionsOf(scope: TenantScope): Promise<string[]> {
  const rows = await inTransaction(scope, (db) =>
    db.auditLog.findMany({ orderBy: { seq: 'asc' }, select: { action: true } }),
  );
  return rows.map(({ action }) => action).filter((action) => /^paging_policy\./.test(action));
}

describe('[INC-2.2] paging policies', () => {
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
      'paging_policy.created',
      'paging_policy.updated',
      'paging_policy.deleted',
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

  it('name no channel, member, calendar or project of another organization', async () => {
    const { alice } = await makeCast();
    const other = await makeCast();
    const [own, foreign] = [await channelOf(alice), await channelOf(other.alice)];
    const [step] = policyOf(foreign).steps;
    const theirs = policyOf(foreign, { steps: step ? [{ ...step, calendarUrl: CALENDAR }] : [] });
    const calendarId = (await createPolicy(other.alice, theirs)).steps[0]?.calendarId ?? '';
    const naming = (changes: Partial<PolicyInput['steps'][number]>) =>
      policyOf(own, { steps: policyOf(own).steps.map((step) => ({ ...step, ...changes })) });
    for (const input of [
      policyOf(foreign),
      naming({ calendarId }),
      naming({ memberIds: [encodeId('mem', other.alice.actor.id)] }),
    ]) {
      expect(await refusalOf(() => createPolicy(alice, input))).toBe('invalid');
    }
    const projectIds = [encodeId('prj', other.projectId)];
    expect(await refusalOf(() => createPolicy(alice, policyOf(own, { projectIds })))).toBe(
      'not_found',
    );
    expect(await listPolicies(alice)).toEqual([]);
    const memberIds = [encodeId('mem', alice.actor.id)];
    expect((await createPolicy(alice, naming({ memberIds }))).steps[0]).toMatchObject({
      memberIds,
    });
  });

  it('ignore a schedule that a step names, and say so until they are saved without it', async () => {
    const { alice } = await makeCast();
    const channelId = await channelOf(alice);
    const body = policyInputSchema.parse({
      name: 'Nights',
      steps: [{ afterMinutes: 5, scheduleId: 'ocs_gone', channelIds: [channelId] }],
    });
    const { id, steps, warnings } = await createPolicy(alice, body);
    expect(steps).toEqual([
      { afterMinutes: 5, calendarId: null, calendar: null, memberIds: [], channelIds: [channelId] },
    ]);
    expect(warnings).toEqual([
      'Step 1 names the on-call schedule ocs_gone, which is ignored: schedules were removed. Enter an iCal address.',
    ]);
    expect((await getPolicy(alice, id)).warnings).toEqual(warnings);
    expect((await updatePolicy(alice, id, policyOf(channelId))).warnings).toEqual([]);
  });

  it('keep the channels that they name from being deleted', async () => {
    const { alice } = await makeCast();
    const channelId = await channelOf(alice);
    const { id } = await createPolicy(alice, policyOf(channelId));
    await expect(deleteChannel(alice, channelId)).rejects.toThrow(
      /paging policies notify it: Nights\./,
    );
    await deletePolicy(alice, id);
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

describe('[INC-2.2] the calendar of a step', () => {
  const naming = (calendarUrl: string) =>
    policyOf('', {
      steps: [{ afterMinutes: 5, calendarId: null, memberIds: [], channelIds: [], calendarUrl }],
    });
  const calendars = (scope: TenantScope) =>
    inTransaction(scope, (db) => db.oncallCalendar.findMany());

  it('keeps its address encrypted, and neither shows nor records it', async () => {
    const { alice } = await makeCast();
    const { id, steps } = await createPolicy(alice, naming(CALENDAR));
    const all = JSON.stringify(
      await inTransaction(alice, async (db) => [
        await db.oncallCalendar.findMany(),
        await db.pagingPolicy.findMany(),
        await db.auditLog.findMany({ select: { action: true, detail: true } }),
        await getPolicy(alice, id),
      ]),
    );
    expect(all).toContain('calendar.example');
    expect(all).not.toContain('private-abc');
    expect(steps[0]?.calendar).toMatchObject({
      name: 'calendar.example',
      failure: 'hasn’t been read yet',
    });
  });

  it('stays while a policy or a running incident names it, and goes with the last one', async () => {
    const { alice, projectId } = await makeCast();
    const { id, steps } = await createPolicy(alice, naming(CALENDAR));
    const own = steps.map(({ calendar: _, ...step }) => step);
    await updatePolicy(alice, id, policyOf('', { name: 'Days', steps: own }));
    const [first] = await calendars(alice);
    await updatePolicy(alice, id, naming('https://other.example/a.ics'));
    const [second, ...others] = await calendars(alice);
    expect([first?.host, second?.host, others]).toEqual(['calendar.example', 'other.example', []]);
    const incident = await inTransaction(alice, (db) =>
      db.incident.create({
        data: {
          ...{ organizationId: alice.organizationId, projectId, number: 1, source: 'check' },
          ...{ severity: 'critical', startedAt: new Date(), openedAt: new Date(), sequence: 1 },
        },
      }),
    );
    const plan = { steps: (await getPolicy(alice, id)).steps, repeatTimes: 0, repeatMinutes: 30 };
    const run = {
      ...{ incidentId: incident.id, run: 1, policyName: 'Nights', at: new Date() },
      plan: planSchema.parse({
        ...plan,
        steps: plan.steps.map(({ calendar: _, ...step }) => step),
      }),
    };
    await inTransaction(alice, (db) => writeRun(db, run));
    await deletePolicy(alice, id);
    expect(await calendars(alice)).toHaveLength(1);
    await inTransaction(alice, (db) => endRun(db, incident.id, new Date()));
    const next = await createPolicy(alice, naming(CALENDAR));
    expect((await calendars(alice)).map(({ host }) => host)).toEqual(['calendar.example']);
    await deletePolicy(alice, next.id);
    expect(await calendars(alice)).toEqual([]);
  });

  it('has a webcal address, and none that is empty, private or no URL', async () => {
    const { alice } = await makeCast();
    const parsed = policyInputSchema.parse({
      name: 'A',
      steps: [{ afterMinutes: 5, calendarUrl: ' webcal://acme.pagerduty.com/feed ' }],
    });
    expect(parsed.steps[0]?.calendarUrl).toBe('https://acme.pagerduty.com/feed');
    for (const url of ['', 'https://127.0.0.1/a.ics', 'https://169.254.169.254/a', 'a.ics']) {
      expect(await refusalOf(() => createPolicy(alice, naming(url)))).toBe('invalid');
    }
    expect(await calendars(alice)).toEqual([]);
  });
});
