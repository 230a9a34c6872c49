/** Data that earlier versions stored as escalation, with schedules of weekly shifts. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { advancePaging } from '@/lib/paging/advance-paging';
import { listPolicies } from '@/lib/paging/manage-policies';
import { getIncidentPaging } from '@/lib/paging/read-paging';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { decodeId, encodeId } from '@/lib/platform/ids';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { startPaging } from '../incidents/support/paging';

const database = useTestDatabase();
const sqlOf = (migration: string) =>
  readFileSync(`prisma/migrations/${migration}/migration.sql`, 'utf8');
/** As the tables were, made by their own migrations. */
const BEFORE = [
  'drop table project_paging_policy, paging_policy, paging_run, paging_step, oncall_calendar;',
  sqlOf('20261129170000_escalation').replace(/^alter table .*$/gm, ''),
  sqlOf('20261129230000_escalation_retries').replace(/^alter table installation_problem.*$/m, ''),
].join('\n');

it('[INC-2.2] policies, steps and what runs are kept, and a step without its schedule is pointed out', async () => {
  const of = await startPaging();
  const { alice, projectId } = of.cast;
  await of.pass(1);
  await of.pass(2, { web: 'down' });
  const incident = await inTransaction(alice, (db) => db.incident.findFirstOrThrow());
  await runSql(database.ownerUrl, BEFORE);
  const steps = JSON.stringify([
    { afterMinutes: 5, scheduleId: 'ocs_old', channelIds: [of.slack.id] },
    { afterMinutes: 15, scheduleId: null, channelIds: [of.ana.id] },
  ]);
  const [organization, policy] = [`'${alice.organizationId}'`, `'${projectId}'`];
  const ofIncident = `${organization}, '${incident.id}', 1`;
  const channel = decodeId('ntc', of.slack.id);
  await runSql(
    database.superuserUrl,
    `insert into oncall_schedule values (${policy}, ${organization}, 'Primary', 'UTC', '[]', now());
    insert into escalation_policy values (${policy}, ${organization}, 'Nights', '${steps}', 0, 30, now());
    insert into project_escalation values (${organization}, '${projectId}', ${policy});
    insert into incident_escalation (organization_id, incident_id, run, policy_name, plan, started_at, last_number,
        running_since, next_at, seen_sequence)
      values (${ofIncident}, 'Nights', '{"steps": ${steps}, "repeatTimes": 0, "repeatMinutes": 30}',
        '2026-11-26T00:00Z', 1, '2026-11-26T00:00Z', '2026-11-26T00:15Z', ${incident.sequence});
    insert into escalation_step values (${ofIncident}, 1, '2026-11-26T00:05Z',
      '{"channels": [{"name": "Slack", "result": "sent"}], "schedule": "Primary", "onCall": ["Ana"]}');
    insert into webhook_delivery (id, organization_id, channel_id, event_type, occasion, body)
      values (${policy}, ${organization}, '${channel}', 'incident.escalated',
        'incident.escalated:${incident.id}:1:1', '{}')`,
  );
  await runSql(database.ownerUrl, sqlOf('20261201100000_paging'));

  expect(await listPolicies(alice)).toMatchObject([
    {
      ...{ name: 'Nights', projectIds: [encodeId('prj', projectId)] },
      steps: [{ calendarId: null, channelIds: [of.slack.id] }, { channelIds: [of.ana.id] }],
      warnings: [
        expect.stringMatching(/^Step 1 names the on-call schedule ocs_old, which is ignored/),
      ],
    },
  ]);
  const id = encodeId('inc', incident.id);
  expect(await getIncidentPaging(alice, id)).toMatchObject({
    steps: [{ number: 1, recipients: { calendar: 'Primary', onCall: ['Ana'], members: [] } }],
    next: { number: 2 },
  });
  await advancePaging(new Date('2026-11-26T00:15:00Z'));
  const sent = await inTransaction(alice, (db) =>
    db.webhookDelivery.findMany({
      where: { eventType: 'incident.paged' },
      select: { occasion: true },
      orderBy: { createdAt: 'desc' },
    }),
  );
  expect(sent.map(({ occasion }) => occasion).toSorted()).toEqual([
    `incident.paged:${incident.id}:1:1`,
    `incident.paged:${incident.id}:1:2`,
  ]);
});
