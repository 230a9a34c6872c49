/** The timeline of an incident that lasts: read a part at a time, and complete in all of its parts. */
import { v7 as uuidv7 } from 'uuid';
import { expect, it } from 'vitest';
import { EVENTS_OF_A_PAGE } from '@/lib/insight/incidents/evidence';
import { getPostMortem } from '@/lib/insight/incidents/get-post-mortem';
import { getSignalsOfIncident } from '@/lib/insight/incidents/get-signals';
import { getIncident, getIncidentByNumber } from '@/lib/insight/incidents/list-incidents';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const MINUTE_MS = 60_000;
const START = Date.parse('2026-10-01T00:00:00Z');
const at = (minute: number) => new Date(START + minute * MINUTE_MS);

/** An open incident with so many events, a minute apart. Returns its UUID. */
function longIncident({ alice, projectId }: Cast, events: number): Promise<string> {
  const { organizationId } = alice;
  return inTransaction(alice, async (db) => {
    const { id } = await db.incident.create({
      data: {
        ...{ organizationId, projectId, number: 1, source: 'check', severity: 'critical' },
        ...{ startedAt: at(0), openedAt: at(1), sequence: events },
      },
    });
    await db.incidentEvent.createMany({
      data: Array.from({ length: events }, (_, index) => ({
        ...{ organizationId, incidentId: id, sequence: index + 1, at: at(index + 1) },
        ...{ kind: 'acknowledged' },
        event: { kind: 'acknowledged', by: `Ana ${index + 1}`, endsAt: null, note: '' },
      })),
    });
    return id;
  });
}

/** Writes a message to a channel about each event of these numbers, and one about something else. */
function announce({ alice }: Cast, incidentId: string, sequences: number[]): Promise<void> {
  const { organizationId } = alice;
  return inTransaction(alice, async (db) => {
    const channel = await db.notificationChannel.create({
      data: {
        ...{ organizationId, kind: 'apprise', name: 'Pager', outcomes: [], eventTypes: [] },
        ...{ target: 'x', settingsSealed: 'x' },
      },
    });
    const occasions = sequences.map((sequence) => ({
      ...{ occasion: `incident.acknowledged:${incidentId}:${sequence}`, at: at(sequence) },
    }));
    await db.webhookDelivery.createMany({
      data: [...occasions, { occasion: `incident.acknowledged:${uuidv7()}:3`, at: at(3) }].map(
        ({ occasion, at: createdAt }) => ({
          ...{ organizationId, channelId: channel.id, occasion, createdAt, status: 'delivered' },
          ...{ eventType: 'incident.acknowledged', body: '{}' },
        }),
      ),
    });
  });
}

it('[INC-2.1] every event and message of a long incident is on exactly one page, in order', async () => {
  const cast = await makeCast();
  const id = await longIncident(cast, 250);
  await announce(cast, id, [3, 150, 151, 250]);
  const pages = [];
  let until: number | null = null;
  do {
    const part: { take: number; until: number | null } = { take: EVENTS_OF_A_PAGE, until };
    const page = await getIncidentByNumber(cast.alice, cast.projectSlug, 1, part);
    pages.unshift(page);
    until = page.earlierUntil;
  } while (until !== null);
  expect(pages.map(({ earlierEvents }) => earlierEvents)).toEqual([0, 50, 150]);
  expect(pages.map(({ laterUntil }) => laterUntil)).toEqual([150, 250, null]);
  const entries = pages.flatMap(({ timeline }) => timeline);
  const sequences = entries.flatMap(({ sequence }) => sequence ?? []);
  expect(sequences).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  const messages = entries.filter(({ kind }) => kind === 'notified');
  expect(messages.map((entry) => entry.at)).toEqual(
    [3, 150, 151, 250].map((n) => at(n).toISOString()),
  );
  expect(entries.map((entry) => entry.at)).toEqual(entries.map((entry) => entry.at).toSorted());
  // A link to an event leads to a page that has it.
  expect(entries[0]?.evidence.path).toMatch(/\/incidents\/1\?until=1#event-1$/);
  expect(entries.at(-1)?.evidence.path).not.toContain('until');
});

it('[INC-2.1] steps of paging beyond what a page lists are counted', async () => {
  const cast = await makeCast();
  const incidentId = await longIncident(cast, 1);
  const { organizationId } = cast.alice;
  await inTransaction(cast.alice, async (db) => {
    await db.pagingStep.createMany({
      data: Array.from({ length: 130 }, (_, index) => ({
        ...{ organizationId, incidentId, run: 1, number: index + 1, at: at(index + 2) },
      })),
    });
  });
  const { timeline } = await getIncidentByNumber(cast.alice, cast.projectSlug, 1);
  expect(timeline[0]?.text).toBe('30 earlier steps of paging aren’t listed here.');
});

it('[INC-2.1] the API returns a bounded part and what comes before it, and the post-mortem links to it', async () => {
  const cast = await makeCast();
  const id = encodeId('inc', await longIncident(cast, 2_300));
  const newest = await getIncident(cast.alice, id);
  expect(newest.timeline).toHaveLength(500);
  expect(newest).toMatchObject({ earlierEvents: 1_800, earlierUntil: 1_800, laterUntil: null });
  const earlier = await getIncident(cast.alice, id, { until: 1_800 });
  expect(earlier).toMatchObject({ earlierEvents: 1_300, laterUntil: 2_300 });
  const { text } = await getPostMortem(cast.alice, id);
  expect(text).toMatch(/- 300 earlier events: \[Incident #1\]\(\S+\/incidents\/1\?until=300\)/);
});

it('[INC-1.3] the alerts of an incident are those that fire, then the newest, and counted', async () => {
  const cast = await makeCast();
  const incidentId = await longIncident(cast, 1);
  const { organizationId } = cast.alice;
  await inTransaction(cast.alice, async (db) => {
    const shared = { organizationId, projectId: cast.projectId };
    const source = await db.signalSource.create({
      data: {
        ...{ ...shared, kind: 'generic', name: 'Prometheus', tokenHash: uuidv7(), tokenHint: 'x' },
        ...{ mapping: {}, staleSeconds: 600, signingSecretsSealed: [] },
      },
    });
    const statuses = ['firing', 'resolved', 'stale', 'resolved', 'stale'];
    for (const [index, status] of statuses.entries()) {
      const { id } = await db.signal.create({
        data: {
          ...{ ...shared, sourceId: source.id, fingerprint: uuidv7(), startsAt: 'x', status },
          ...{ startedAt: at(index), firstSeenAt: at(index), lastSeenAt: at(90), repeats: index },
          ...{ kind: 'problem', severity: 'error', title: `Alert ${index}`, labels: {} },
          ...{ annotations: {}, serviceText: 'shop', endedAt: index === 0 ? null : at(50 + index) },
        },
      });
      await db.incidentSignal.create({ data: { organizationId, incidentId, signalId: id } });
    }
  });
  const id = encodeId('inc', incidentId);
  const found = await getSignalsOfIncident(cast.alice, id, 4);
  expect(found.count).toBe(5);
  expect(found.alerts).toMatchObject([
    { title: 'Alert 0', status: 'firing', endedAt: null, service: 'shop', severity: 'error' },
    { title: 'Alert 3', status: 'resolved', endedAt: at(53), repeats: 3 },
    { title: 'Alert 1', status: 'resolved', endedAt: at(51), source: { name: 'Prometheus' } },
    { title: 'Alert 4', status: 'stale', endedAt: at(90) },
  ]);
  const { text } = await getPostMortem(cast.alice, id);
  expect(text).toMatch(
    /## Alerts\n\n- Alert 0: error, `shop`, since .*, still firing\. \[Prometheus\]/,
  );
  const stranger = await makeCast();
  expect(await getSignalsOfIncident(stranger.alice, id, 3)).toEqual({ alerts: [], count: 0 });
});
