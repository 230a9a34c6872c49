import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import { type BrokenService, startBrokenService } from '../support/system/broken-service';
import { createProject, endedChain, sessionsOf, startChain } from '../support/system/chain-run';
import { useSystem } from '../support/system/use-system';

const PROJECTS = ['alpha', 'beta', 'gamma', 'delta'];
const RUNNERS = ['one', 'two'];

const system = useSystem();

function projectFor(name: string, service: BrokenService): ProjectDocument {
  const [status, restart] = ['Bash(democtl status:*)', 'Bash(democtl restart:*)'];
  return {
    name,
    harness: 'demo',
    runnerPool: 'fleet',
    services: [{ name, checks: [{ type: 'http', target: service.url, timeoutSeconds: 5 }] }],
    schedule: { kind: 'manual', timeZone: 'UTC' },
    tiers: [
      { tier: 1, allowedTools: [status] },
      { tier: 2, isEnabled: true, allowedTools: [status, restart] },
    ],
    maxTier: 2,
  };
}

describe('two runners in one pool', () => {
  const services = new Map<string, BrokenService>();
  beforeAll(async () => {
    const root = path.join(system.dataDir, 'services');
    for (const name of PROJECTS) {
      services.set(name, await startBrokenService(path.join(root, name)));
    }
    const binDir = path.join(system.dataDir, 'fleet-bin');
    mkdirSync(binDir);
    // What the demo agent mends a service with: democtl restart <service>
    const program = `#!/bin/sh\ntest "$1" = restart && touch '${root}'/"$2"/mended\n`;
    writeFileSync(path.join(binDir, 'democtl'), program, { mode: 0o755 });
    for (const name of RUNNERS) {
      const env = { TIERWATCH_RUNNER_CONCURRENCY: '1', TIERWATCH_DEMO_BIN: binDir };
      await system.addRunner({ name, pool: 'fleet', env });
    }
  });
  afterAll(async () => {
    for (const service of services.values()) await service.close();
  });

  it('[SAS-3.1] [RES-2.1] share the projects, and each tier 2 goes to the runner that holds its conversation', async () => {
    const started = [];
    for (const [name, service] of services) {
      const project = await createProject(system.api, projectFor(name, service));
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
    expect([...new Set(used)].sort()).toEqual(RUNNERS);
    expect(runs.flat().flatMap(({ attempts }) => attempts)).toHaveLength(2 * PROJECTS.length);
  });
});
