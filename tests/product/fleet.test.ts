import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import {
  type BrokenService,
  REPAIRED_FILE,
  startBrokenService,
} from '../support/system/broken-service';
import { createProject, endedChain, sessionsOf, startChain } from '../support/system/chain-run';
import type { RunnerOptions } from '../support/system/runner';
import { useSharedSystem } from '../support/system/use-system';
import { addDoorRunner } from './support/door-runner';

const PROJECTS = ['alpha', 'beta', 'gamma', 'delta'];
const DOORS = [
  { door: 'the queue', pool: 'fleet', add: (options: RunnerOptions) => system.addRunner(options) },
  { door: 'HTTPS', pool: 'edge', add: (options: RunnerOptions) => addDoorRunner(system, options) },
];

const system = useSharedSystem();

function projectFor(name: string, pool: string, service: BrokenService): ProjectDocument {
  const [status, restart] = ['Bash(democtl status:*)', 'Bash(democtl restart:*)'];
  return {
    name: `${name} ${pool}`,
    harness: 'demo',
    runnerPool: pool,
    isolation: 'open',
    services: [{ name, checks: [{ type: 'http', target: service.url, timeoutSeconds: 5 }] }],
    schedule: { kind: 'manual', timeZone: 'UTC' },
    tiers: [
      { tier: 1, allowedTools: [status] },
      // These rules leave open the options of a program that the command broker doesn't know.
      { tier: 2, isEnabled: true, allowedTools: [status, restart] },
    ],
    maxTier: 2,
  };
}

describe.each(DOORS)('two runners in one pool, by $door', ({ pool, add }) => {
  const runners = ['one', 'two'].map((name) => `${pool}-${name}`);
  const services = new Map<string, BrokenService>();
  beforeAll(async () => {
    const root = path.join(system.dataDir, 'services', pool);
    for (const name of PROJECTS) {
      services.set(name, await startBrokenService(path.join(root, name)));
    }
    const binDir = path.join(system.dataDir, `${pool}-bin`);
    mkdirSync(binDir);
    // The command with which the demo agent repairs a service: democtl restart <service>
    const program = `#!/bin/sh\ntest "$1" = restart && touch '${root}'/"$2"/${REPAIRED_FILE}\n`;
    writeFileSync(path.join(binDir, 'democtl'), program, { mode: 0o755 });
    for (const name of runners) {
      const env = { TIERWATCH_RUNNER_CONCURRENCY: '1', TIERWATCH_DEMO_BIN: binDir };
      await add({ name, pool, env });
    }
  });
  afterAll(async () => {
    for (const service of services.values()) await service.close();
  });

  it('[SAS-3.1] [RES-2.1] share the projects, and each tier 2 goes to the runner that holds its conversation', async () => {
    const started = [];
    for (const [name, service] of services) {
      const project = await createProject(system.api, projectFor(name, pool, service));
      started.push(await startChain(system.api, project.id));
    }
    const chains = await Promise.all(started.map(({ id }) => endedChain(system.api, id)));
    expect(chains.map(({ outcome }) => outcome)).toEqual(PROJECTS.map(() => 'fixed'));
    const runs = await Promise.all(chains.map((chain) => sessionsOf(system.api, chain)));
    for (const [one, two, ...more] of runs) {
      expect(more).toEqual([]);
      expect(two?.mechanism).toBe('resume');
      expect(two?.attempts.map(({ exit }) => exit?.kind)).toEqual(['completed']);
      expect(two?.attempts[0]?.runner?.name).toBe(one?.attempts[0]?.runner?.name);
    }
    const used = runs.flat().map(({ attempts }) => attempts[0]?.runner?.name);
    expect([...new Set(used)].sort()).toEqual(runners);
    expect(runs.flat().flatMap(({ attempts }) => attempts)).toHaveLength(2 * PROJECTS.length);
  });
});
