/** Figures of incidents and their post-mortem, from real rows, by the REST API. */
import { expect, it } from 'vitest';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { acknowledgeIncident } from '@/lib/incidents/manage-incidents';
import { listIncidents } from '@/lib/insight/incidents/list-incidents';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { openApi } from '../api/support/api';
import { continueWatch, startWatch, type Watch } from './support/watching';

useTestDatabase();

const FIXED = { report: { resolved: true }, costUsd: 0.4 };

/** web fails, tier 2 reports a fix, and the checks pass from then on. */
async function fixedOutage(): Promise<Watch> {
  const { watch } = await continueWatch('fixed outage', async () => {
    const watch = await startWatch({ maxTier: 2 });
    await watch.minute();
    await watch.minutes(2, { web: 'down' });
    await watch.playChain({ report: wantsHelp(), costUsd: 0.1 }, FIXED);
    await watch.minutes(2);
    await watch.minutes(11);
    return { watch };
  });
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'fixed' }]);
  return watch;
}

async function caller({ cast: { alice } }: Watch) {
  const { token } = await createApiToken(alice, {
    ...{ name: 'test', expiresInDays: 1 },
    scopes: ['analytics:read', 'incidents:read'],
  });
  const api = await openApi();
  return (path: string) => api('GET', path, { token });
}

const SPAN = 'from=2026-11-26T00:00:00Z&to=2026-11-27T00:00:00Z';

async function figuresOf(watch: Watch) {
  const get = await caller(watch);
  const response = await get(`analytics/incidents?${SPAN}`);
  expect(response.status).toBe(200);
  return response.json();
}

it('[INC-3.1] [INC-3.2] a fix counts once the checks have proved it, with its tier, model and cost', async () => {
  const watch = await fixedOutage();
  const figures = await figuresOf(watch);
  expect(figures).toMatchObject({
    ...{ incidents: 1, unresolved: 0, acknowledged: 0, timeToAcknowledge: null },
    // Two failures in a row, a minute apart; healthy again after two passes.
    timeToDetect: { incidents: 1, p50Seconds: 60, isSmall: true },
    timeToFix: { incidents: 1, p50Seconds: 180, p90Seconds: 180 },
    fixes: { chains: 1, reported: 1, proven: 1, provenRate: 1, costUsd: 0.5 },
    fixesByTier: [{ tier: 2, proven: 1, costPerProvenFixUsd: 0.5 }],
    fixesByModel: [{ proven: 1 }],
    recurrence: { ended: 1, recurred: 0 },
  });
  expect(figures.fixesByModel[0].model).toEqual(expect.any(String));
});

it('[INC-3.2] the same service failing again within a day counts against the fix', async () => {
  const watch = await fixedOutage();
  // Longer than incidents are reopened, so that it is a new one.
  await watch.minutes(90);
  await watch.minutes(2, { web: 'down' });
  expect(await watch.incidents()).toHaveLength(2);
  expect(await figuresOf(watch)).toMatchObject({
    ...{ incidents: 2, unresolved: 1 },
    fixes: { proven: 0, recurred: 1, provenRate: 0, costPerProvenFixUsd: null },
    recurrence: { ended: 1, recurred: 1, rate: 1 },
    recurringServices: [{ name: 'web', incidents: 1, recurred: 1 }],
  });
});

it('[INC-3.2] reopening counts against the fix too, and without incidents nothing is known', async () => {
  const watch = await fixedOutage();
  await watch.minutes(10);
  await watch.minutes(2, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ reopenings: 1 }]);
  expect(await figuresOf(watch)).toMatchObject({ fixes: { proven: 0, recurred: 1 } });
  const empty = await startWatch();
  expect(await figuresOf(empty)).toMatchObject({
    ...{ incidents: 0, timeToDetect: null, timeToFix: null },
    fixes: { reported: 0, provenRate: null, costUsd: null },
  });
});

it('[INC-3.2] an empty span is refused with what to change', async () => {
  const get = await caller(await startWatch());
  const span = 'from=2026-11-27T00:00:00Z&to=2026-11-26T00:00:00Z';
  const response = await get(`analytics/incidents?${span}`);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ fields: { from: expect.any(String) } });
});

it('[INC-3.3] exports a post-mortem whose timeline links to its evidence, and says so in the audit log', async () => {
  const watch = await startWatch({ maxTier: 2 });
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  const { alice, projectSlug } = watch.cast;
  const [found] = (await listIncidents(alice, { limit: 1 })).data;
  await watch.playChain({ report: wantsHelp(), costUsd: 0.1 }, FIXED);
  await acknowledgeIncident(alice, found?.id ?? '', { note: 'See <b>x</b>' }, watch.now());
  await watch.minutes(13);
  const get = await caller(watch);
  const response = await get(`incidents/${found?.id}/post-mortem`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="${projectSlug}-incident-1.md"`,
  );
  const text = await response.text();
  expect(text).toMatch(/^# Post-mortem: Incident #1, web down\n/);
  const timeline = text.split('## Timeline\n')[1]?.split('\n## ')[0] ?? '';
  const lines = timeline.split('\n').filter((line) => line.startsWith('- '));
  const { slug } = await inTransaction(alice, (db) => db.organization.findFirstOrThrow());
  for (const line of lines) {
    const [, url] = /\]\((\S+)\)$/.exec(line) ?? [];
    expect(URL.canParse(url ?? ''), line).toBe(true);
    expect(new URL(url ?? '').pathname.startsWith(`/${slug}/`), line).toBe(true);
  }
  const project = `/projects/${projectSlug}`;
  expect(timeline).toContain(`[Checks of web](`);
  expect(timeline).toContain(`${project}/services/web)`);
  expect(timeline).toContain(`${project}/chains/1)`);
  expect(timeline).toContain('Notification “opened”: Apprise to Pager, scheduled.');
  expect(timeline).toContain('See \\<b\\>x\\</b\\>');
  expect(text).toContain('$0.50');
  const exports = await inTransaction(alice, (db) =>
    db.auditLog.findMany({ where: { action: 'export.created' } }),
  );
  expect(exports).toMatchObject([
    { detail: { what: 'post-mortem', incidentId: found?.id }, actor: expect.any(String) },
  ]);
});
