/** Hosts behind a firewall: they reach the web address and nothing else. */

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RunnerDto, runnerDtoSchema } from '@/lib/fleet/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import { eventually } from '../bootstrap/eventually';
import { environmentOf } from '../bootstrap/started-system';
import { testCluster } from '../support/database';
import { processesWith } from '../support/fake-control-plane/processes';
import {
  type BrokenService,
  REPAIRED_FILE,
  startBrokenService,
} from '../support/system/broken-service';
import {
  chainWhere,
  createProject,
  endedChain,
  readChain,
  sessionsOf,
  startChain,
} from '../support/system/chain-run';
import { useSharedSystem } from '../support/system/use-system';
import { loginsOf } from './support/database-logins';
import { addDoorRunner, type DoorRunner } from './support/door-runner';
import { talkativeAgent } from './support/talkative-agent';

const system = useSharedSystem();
const runnersSchema = pageSchema(runnerDtoSchema);

async function runnerNamed(name: string): Promise<RunnerDto> {
  const { data } = await system.api.get('runners', runnersSchema);
  const found = data.find((runner) => runner.name === name);
  if (!found) throw new Error(`There is no runner ${name}.`);
  return found;
}

/** Whether the runner API still takes the key. */
/** Whether the control plane knows the key. A known one that the runner's process holds answers 409. */
async function isTaken(key: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${system.url}/api/runner/v1/me`, { headers })).status !== 401;
}

describe('a runner with nothing but the web address', () => {
  let service: BrokenService;
  let runner: DoorRunner;
  let firstChainId: string;
  beforeAll(async () => {
    const root = path.join(system.dataDir, 'services', 'web');
    service = await startBrokenService(root);
    const binDir = path.join(system.dataDir, 'door-bin');
    mkdirSync(binDir);
    const program = `#!/bin/sh\ntest "$1" = restart && touch '${root}/${REPAIRED_FILE}'\n`;
    writeFileSync(path.join(binDir, 'democtl'), program, { mode: 0o755 });
    const [status, restart] = ['Bash(democtl status:*)', 'Bash(democtl restart:*)'];
    const project: ProjectDocument = {
      name: 'Edge',
      harness: 'demo',
      isolation: 'open',
      services: [
        { name: 'web', checks: [{ type: 'http', target: service.url, timeoutSeconds: 5 }] },
      ],
      schedule: { kind: 'manual', timeZone: 'UTC' },
      tiers: [
        { tier: 1, allowedTools: [status] },
        { tier: 2, isEnabled: true, allowedTools: [status, restart] },
      ],
      maxTier: 2,
    };
    const { id } = await createProject(system.api, project);
    firstChainId = (await startChain(system.api, id)).id;
    await chainWhere(system.api, firstChainId, 'said why it waits', ({ statusText }) =>
      statusText.includes('pool default has none'),
    );
    runner = await addDoorRunner(system, { name: 'edge-1', env: { TIERWATCH_DEMO_BIN: binDir } });
    return () => service.close();
  });

  it('[SAS-3.1] takes the first chain of a new organization to its end, by the printed command', async () => {
    const chain = await endedChain(system.api, firstChainId);
    expect(chain.outcome).toBe('fixed');
    const [one, two] = await sessionsOf(system.api, chain);
    expect(two?.mechanism).toBe('resume');
    for (const session of [one, two]) {
      expect(session?.attempts.map(({ exit }) => exit?.kind)).toEqual(['completed']);
      expect(session?.attempts[0]?.runner?.name).toBe('edge-1');
    }
    const environment = environmentOf(runner.pid());
    expect(Object.values(environment).filter((value) => /^(postgres|redis)/.test(value))).toEqual(
      [],
    );
    expect(await loginsOf(runner.pid(), testCluster().superuserUrl)).toEqual([]);
    expect(await runnerNamed('edge-1')).toMatchObject({ capabilities: { door: 'https' } });
  });

  it('[SAS-3.1] [SAS-3.4] a web process that is ended or killed while waiting loses nothing', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await system.web.end(signal);
      system.web.start();
      await system.webAnswers();
      const { id } = await startChain(system.api, 'edge');
      expect((await endedChain(system.api, id)).outcome).toBe('healthy');
    }
  });

  it('exchanges its key when it is asked to, and the old one is refused from then on', async () => {
    const old = runner.key();
    const { id } = await runnerNamed('edge-1');
    await system.api.post(`runners/${id}/rotate`, {}, runnerDtoSchema);
    await eventually('the new key is stored', () => runner.key() !== old);
    await eventually('the new key is confirmed', async () => !(await isTaken(old)));
    expect(await isTaken(runner.key())).toBe(true);
    expect(await runnerNamed('edge-1')).toMatchObject({
      rotationRequestedAt: null,
      keyChangedAt: expect.any(String),
    });
    await runner.end();
    runner.start();
    await eventually('it is back with its new key', () =>
      runner.output().includes('already enrolled'),
    );
    const { id: chainId } = await startChain(system.api, 'edge');
    expect((await endedChain(system.api, chainId)).outcome).toBe('healthy');
  });
});

describe('a runner that is revoked', () => {
  it('[SAS-3.2] [SAS-3.3] ends what it runs, and its attempt is lost without waiting for its lease', async () => {
    const dir = path.join(system.dataDir, 'talkative');
    mkdirSync(dir);
    const agent = await talkativeAgent(dir, 10);
    const env = { CLAUDE_BIN: agent.file, ANTHROPIC_API_KEY: 'key' };
    const runner = await addDoorRunner(system, { name: 'rogue', pool: 'rogue', env });
    const project = await createProject(system.api, {
      name: 'Rogue',
      harness: 'claude',
      // The program in the CLI's place isn't in the sandbox.
      isolation: 'open',
      runnerPool: 'rogue',
      maxTier: 1,
      schedule: { kind: 'manual', timeZone: 'UTC' },
    });
    const { id } = await startChain(system.api, project.id);
    await eventually('the agent runs', () => processesWith(agent.file).length > 0, 60_000);
    const { id: runnerId } = await runnerNamed('rogue');
    await system.api.post(`runners/${runnerId}/revoke`, {}, runnerDtoSchema);
    await eventually('its agent is gone', () => processesWith(agent.file).length === 0);
    await eventually('the process has ended', () => !runner.isRunning());
    expect(await isTaken(runner.key())).toBe(false);
    // Tier 1 is tried once more, and waits for another runner of the pool.
    await chainWhere(system.api, id, 'waits again', ({ status }) => status === 'waiting');
    const [session] = await sessionsOf(system.api, await readChain(system.api, id));
    expect(session?.attempts[0]?.exit?.kind).toBe('lost');
    expect(session?.attempts[1]).toMatchObject({ status: 'queued', runner: null });
  });
});
