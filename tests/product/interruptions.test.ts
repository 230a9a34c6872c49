import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { eventually } from '../bootstrap/eventually';
import { testCluster } from '../support/database';
import { callBash, hang, type Reply, reportBack } from '../support/messages-api/reply';
import {
  chainWhere,
  createProject,
  endedChain,
  eventsOf,
  sessionsOf,
  startChain,
} from '../support/system/chain-run';
import { addClaudeHost, type ClaudeHost } from '../support/system/claude-host';
import { askingForHelp, report, tierOf } from '../support/system/tier-script';
import { useSharedSystem } from '../support/system/use-system';
import { restartDatabase } from './support/database-crash';
import { letLeasesExpire } from './support/leases';
import { delivered } from './support/spool';

const RESTART = 'docker restart web';

const system = useSharedSystem();
const cli = inject('clis').findLast(({ problem }) => problem === null);

describe.skipIf(cli === undefined)('a process that is killed during a chain', () => {
  let host: ClaudeHost;
  beforeAll(async () => {
    host = await addClaudeHost(system, { binary: cli?.binary ?? '', name: 'interrupted' });
    host.service.addProgram('docker', { repairs: true });
  });
  afterAll(async () => {
    await host?.close();
  });
  beforeEach(() => {
    host.service.breakAgain();
  });

  const fixed = () =>
    reportBack(
      report({
        resolved: true,
        actions_taken: [{ service: 'web', action: 'restart', command: RESTART, outcome: 'up' }],
      }),
    );

  /** `during`: what happens while tier 1's report, or tier 2's first call, is on its way. */
  async function run(during: { tier1?: () => Promise<void>; tier2?: () => Promise<void> }) {
    const restartsBefore = host.service.runsOf('docker');
    const script: Record<number, [Reply, (() => Promise<void>) | undefined][]> = {
      1: [[reportBack(askingForHelp()), during.tier1]],
      2: [
        [callBash(RESTART), during.tier2],
        [fixed(), undefined],
      ],
    };
    host.model.setScript(async (request) => {
      const [reply, happens] = script[tierOf(request)]?.shift() ?? [
        reportBack(report()),
        undefined,
      ];
      await happens?.();
      return reply;
    });
    const project = await createProject(system.api, host.project());
    const { id } = await startChain(system.api, project.id);
    return { id, restarts: () => host.service.runsOf('docker') - restartsBefore };
  }

  const readyTimes = () => system.worker.output().split('worker ready').length;

  async function expectFixedOnce(started: Awaited<ReturnType<typeof run>>) {
    const chain = await endedChain(system.api, started.id);
    expect(chain).toMatchObject({ outcome: 'fixed', highestTier: 2 });
    const sessions = await sessionsOf(system.api, chain);
    expect(sessions.map(({ mechanism }) => mechanism)).toEqual(['fresh', 'resume']);
    expect(sessions.map(({ attempts }) => attempts.map(({ exit }) => exit?.kind))).toEqual([
      ['completed'],
      ['completed'],
    ]);
    expect(started.restarts()).toBe(1);
    return sessions;
  }

  it('the worker: the chain continues once it is back', async () => {
    const started = await run({ tier1: () => system.worker.end('SIGKILL') });
    await eventually('the worker is gone', () => !system.worker.isRunning());
    await eventually('tier 1 has ended', () => host.runner.output().includes('result delivered'));
    const starts = readyTimes();
    system.worker.start();
    await eventually('the worker is back', () => readyTimes() > starts, 60_000);
    await expectFixedOnce(started);
  });

  it('PostgreSQL: the chain continues once it is back', async () => {
    let restarts = 0;
    const restart = async () => {
      await restartDatabase(testCluster().superuserUrl);
      restarts += 1;
    };
    const started = await run({ tier1: restart, tier2: restart });
    await eventually('it was restarted in both tiers', () => restarts === 2, 90_000);
    await expectFixedOnce(started);
  });

  it('PostgreSQL: meanwhile the API says so, and answers again afterwards', async () => {
    const statuses = new Set<number>();
    const ask = async () => {
      const answer = await system.api.send('GET', 'projects');
      statuses.add(answer.status);
      if (answer.status === 503)
        expect(await answer.json()).toMatchObject({ retryAfterSeconds: 2 });
      return answer.status;
    };
    // It may be back before the next request is on its way: then it goes once more.
    while (!statuses.has(503)) {
      let isBack = false;
      const restart = restartDatabase(testCluster().superuserUrl).then(() => {
        isBack = true;
      });
      while (!isBack) await ask();
      await restart;
    }
    await eventually('it answers again', async () => (await ask()) === 200);
    expect([...statuses].sort()).toEqual([200, 503]);
  });

  it('[SAS-3.3] the runner in tier 2 after a change: it is noticed, and nothing is done twice', async () => {
    const started = await run({});
    let killed = false;
    host.model.setScript(async (request) => {
      if (tierOf(request) === 1) return reportBack(askingForHelp());
      if (request.lastToolResults.length === 0 && !killed) return callBash(RESTART);
      if (killed) return reportBack(report({ summary: 'web answers.' }));
      killed = true;
      await host.runner.end('SIGKILL');
      return hang();
    });
    await eventually('the runner was killed', () => killed && !host.runner.isRunning(), 60_000);
    expect(started.restarts()).toBe(1);
    await letLeasesExpire(system);
    await chainWhere(system.api, started.id, 'was noticed', ({ sessions }) =>
      sessions.some(({ statusText }) => statusText.includes('lost')),
    );
    host.runner.start();
    await delivered(host.runner);

    const chain = await endedChain(system.api, started.id);
    // The look found web healthy: the runner's own check of it is in the chain.
    expect(chain.outcome).toBe('healthy');
    const sessions = await sessionsOf(system.api, chain);
    expect(sessions.map(({ tier, status }) => [tier, status])).toEqual([
      [1, 'escalated'],
      [2, 'lost'],
    ]);
    const attempts = sessions[1]?.attempts ?? [];
    expect(attempts.map(({ purpose, exit }) => [purpose, exit?.kind])).toEqual([
      ['tier', 'lost'],
      ['reconcile', 'completed'],
    ]);
    // The look gets tier 1's tools, so it could not have done it again.
    expect(attempts[1]?.allowedTools).not.toContain(`Bash(${RESTART})`);
    expect(started.restarts()).toBe(1);
    expect(attempts[0]?.isResultLate).toBe(true);
    const events = await eventsOf(system.api, sessions[1]?.id ?? '');
    const calls = events.filter(
      ({ kind, payload }) => kind === 'tool_call' && payload.tool === 'Bash',
    );
    expect(calls).toHaveLength(1);
    expect(new Set(events.map(({ seq }) => seq)).size).toBe(events.length);
    expect(attempts[0]?.costUsd).toBeGreaterThan(0);
  });
});
