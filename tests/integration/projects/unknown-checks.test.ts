/** Checks that couldn't be performed, from the runner's events to the pages: no pass and no outage. */
import { describe, expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { recordHeartbeat } from '@/lib/engine/directives';
import { getOverview } from '@/lib/insight/dashboard/get-overview';
import { getServicePage } from '@/lib/insight/dashboard/get-service-page';
import { serviceSentence, summarizeProject } from '@/lib/insight/dashboard/health-summary';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { getCurrentProject } from '@/lib/projects/versions';
import type { CheckResultEvent } from '@/lib/protocol/events';
import { checkSchema } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const MINUTE_MS = 60_000;
const BEGIN = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 60 * MINUTE_MS);
const minute = (minutes: number) => new Date(BEGIN.getTime() + minutes * MINUTE_MS);

const NO_DOCKER = 'There is no docker on this runner.';

function result(
  type: 'http' | 'container',
  status: CheckResultEvent['status'],
  more: Partial<CheckResultEvent> = {},
): CheckResultEvent {
  const error = { healthy: '', degraded: 'Slow.', down: 'Connection refused.', unknown: NO_DOCKER };
  return {
    kind: 'check_result',
    service: 'web',
    type,
    target: type === 'http' ? 'http://web.example' : 'web',
    status,
    error: error[status],
    responseTimeMs: status === 'healthy' ? 12 : null,
    ...more,
  };
}

async function runChain(cast: Cast, minutes: number, ...events: CheckResultEvent[]) {
  const start = { projectId: cast.projectId, trigger: 'manual' } as const;
  const { chainId } = await startChain(cast.alice, start, minute(minutes));
  const spec = await claimNext(cast.runner, minute(minutes));
  await play(cast.runner, spec, { report: {}, events }, minute(minutes));
  return { spec, ...(await readChain(cast.alice, chainId)) };
}

async function stored(cast: Cast) {
  return inTransaction(cast.alice, async (db) => {
    const service = await db.service.findFirstOrThrow({ where: { name: 'web' } });
    const history = await db.serviceHealth.findMany({ orderBy: { chainId: 'asc' } });
    const health = history.map(({ status, statusBefore, statusWorst }) =>
      [statusBefore, statusWorst, status].join(' '),
    );
    return { service, health };
  });
}

async function pageOf(cast: Cast, minutes: number) {
  const { config } = await getCurrentProject(cast.alice, 'checkout');
  return getServicePage(
    cast.alice,
    { projectId: cast.projectId, config, name: 'web' },
    { range: null, timeZone: 'UTC' },
    minute(minutes),
  );
}

const services = [
  {
    name: 'web',
    checks: [
      checkSchema.parse({ type: 'http', target: 'http://web.example' }),
      checkSchema.parse({ type: 'container', target: 'web' }),
    ],
  },
];

describe('[INC-1.1] a check that couldn’t be performed', () => {
  it('ends its chain with findings, leaves its service unknown, and begins no outage', async () => {
    const cast = await makeCast({ services });
    await runChain(cast, 0, result('http', 'healthy'), result('container', 'healthy'));
    const { chain, events } = await runChain(
      cast,
      10,
      result('http', 'healthy'),
      result('container', 'unknown'),
    );
    expect(chain).toMatchObject({
      outcome: 'findings',
      outcomeReason: 'UNCHECKED',
      servicesAffected: ['web'],
    });
    const sentence = 'Tier 1 reported no problems, but some checks of web couldn’t run.';
    expect(events.map(({ message }) => message)).toContain(sentence);
    const { service, health } = await stored(cast);
    expect(service).toMatchObject({ status: 'unknown', lastError: NO_DOCKER, failingSince: null });
    expect(health).toEqual(['healthy healthy healthy']);

    const page = await pageOf(cast, 11);
    expect(page).toMatchObject({ status: 'unknown', failingSince: null, lastError: NO_DOCKER });
    expect(page.checks.map(({ result: found }) => [found?.status, found?.error])).toEqual([
      ['healthy', ''],
      ['unknown', NO_DOCKER],
    ]);
    const telling = { now: minute(11), clock: () => '' };
    expect(serviceSentence(page, telling)).toBe(`web couldn’t be checked. ${NO_DOCKER}`);
    const overview = await getOverview(cast.alice, minute(11));
    const [project] = overview.projects;
    expect(project && summarizeProject(project, overview, () => '').sentence).toBe(
      'No service could be checked; Chain #2 reported no problems, but couldn’t run every check.',
    );
    expect(project?.failing).toEqual([]);
  });

  it('ends no outage either: it continues from its first failure until a check passes', async () => {
    const cast = await makeCast({ services });
    await runChain(cast, 0, result('http', 'down'), result('container', 'healthy'));
    const begun = (await stored(cast)).service.failingSince;
    expect(begun).toEqual(minute(0));
    await runChain(cast, 10, result('http', 'unknown'), result('container', 'unknown'));
    expect((await stored(cast)).service).toMatchObject({ status: 'unknown', failingSince: begun });
    await runChain(cast, 20, result('http', 'down'), result('container', 'unknown'));
    expect((await stored(cast)).service).toMatchObject({ status: 'down', failingSince: begun });
    await runChain(cast, 30, result('http', 'healthy'), result('container', 'healthy'));
    const { service, health } = await stored(cast);
    expect(service).toMatchObject({ status: 'healthy', failingSince: null });
    expect(health).toEqual(['down down down', 'down down down', 'healthy healthy healthy']);
  });

  it('does not hide a failure of the same service, and keeps what was measured', async () => {
    const cast = await makeCast({ services });
    const facts = {
      address: '10.0.0.7',
      phases: { dnsMs: 1, connectMs: 2, tlsMs: null, firstByteMs: 3 },
    };
    const { chain } = await runChain(
      cast,
      0,
      result('container', 'unknown'),
      result('http', 'down', { facts }),
    );
    expect(chain.outcomeReason).toBe('CLAIM_CONTRADICTED');
    const page = await pageOf(cast, 1);
    expect(page.status).toBe('down');
    expect(page.checks[0]?.result?.facts).toEqual(facts);
  });
});

describe('[INC-1.1] a runner that is too old for a check', () => {
  const newer = [
    {
      name: 'web',
      checks: [
        checkSchema.parse({ type: 'http', target: 'http://web.example' }),
        checkSchema.parse({ type: 'tls', target: 'web.example' }),
        checkSchema.parse({ type: 'heartbeat', target: 'backup' }),
      ],
    },
  ];
  const TOO_OLD = 'The runner’s program is too old for this check. Update the runner.';

  it('does not get it, and the check counts as one that couldn’t run', async () => {
    const cast = await makeCast({ services: newer });
    const capabilities = { ...TEST_CAPABILITIES, checkRevision: undefined };
    await recordHeartbeat(cast.runner, { protocol: 1, capabilities, running: [] });
    const { spec, chain } = await runChain(cast, 0, result('http', 'healthy'));
    expect(spec.services).toMatchObject([{ name: 'web', checks: [{ type: 'http' }] }]);
    expect(chain.outcomeReason).toBe('UNCHECKED');
    const { service, health } = await stored(cast);
    expect(service).toMatchObject({ status: 'unknown', lastError: TOO_OLD });
    expect(health).toEqual([]);
    const page = await pageOf(cast, 1);
    expect(page.checks.map(({ result: found }) => found?.status)).toEqual([
      'healthy',
      'unknown',
      undefined,
    ]);
  });

  it('gets fewer checks than a current one, which gets all but heartbeats', async () => {
    const cast = await makeCast({ services: newer });
    const { spec, chain } = await runChain(cast, 0, result('http', 'healthy'));
    expect(spec.services[0]?.checks.map(({ type }) => type)).toEqual(['http', 'tls']);
    expect(spec.checkRevision).toBe(2);
    expect(chain.outcome).toBe('healthy');
  });
});
