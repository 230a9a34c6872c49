/** Confined tiers in the whole product: the demo agent in its sandbox, its commands by the broker. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RunnerDto, runnerDtoSchema } from '@/lib/fleet/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import { eventually } from '../bootstrap/eventually';
import { canConfine } from '../support/confinement';
import {
  type BrokenService,
  REPAIRED_FILE,
  startBrokenService,
} from '../support/system/broken-service';
import {
  createProject,
  endedChain,
  eventsOf,
  sessionsOf,
  startChain,
} from '../support/system/chain-run';
import { useSharedSystem } from '../support/system/use-system';
import { addDoorRunner, type DoorRunner } from './support/door-runner';

const system = useSharedSystem();

async function runnerNamed(name: string): Promise<RunnerDto | undefined> {
  const { data } = await system.api.get('runners', pageSchema(runnerDtoSchema));
  return data.find((runner) => runner.name === name);
}

function projectFor(name: string, url: string): ProjectDocument {
  const status = 'Bash(democtl status)';
  return {
    name,
    harness: 'demo',
    isolation: 'confined',
    services: [{ name: 'web', checks: [{ type: 'http', target: url, timeoutSeconds: 5 }] }],
    schedule: { kind: 'manual', timeZone: 'UTC' },
    tiers: [
      { tier: 1, allowedTools: [status] },
      {
        tier: 2,
        isEnabled: true,
        allowedTools: [status, 'Bash(democtl restart web)'],
      },
    ],
    maxTier: 2,
  };
}

describe.skipIf(!canConfine)('a chain of a confined project', () => {
  let service: BrokenService;
  let runner: DoorRunner;
  let binDir: string;
  let root: string;

  /** @param body of the program's `restart` */
  function installProgram(body: string): void {
    const program = `#!/bin/sh\nif [ "$1" = restart ]; then echo "$*" >> '${root}/ran'; ${body}; fi\n`;
    writeFileSync(path.join(binDir, 'democtl'), program, { mode: 0o755 });
  }

  const ran = () => {
    const file = path.join(root, 'ran');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };

  beforeAll(async () => {
    root = path.join(system.dataDir, 'services', 'web');
    service = await startBrokenService(root);
    binDir = path.join(system.dataDir, 'confined-bin');
    mkdirSync(binDir);
    installProgram(`touch '${root}/${REPAIRED_FILE}'`);
    runner = await addDoorRunner(system, {
      name: 'confining',
      env: { TIERWATCH_DEMO_BIN: binDir },
    });
    return () => service.close();
  });

  it('[BND-1.1] the runner reports that it confines', async () => {
    const confinement = { state: 'confined', cause: null, detail: null };
    expect(await runnerNamed('confining')).toMatchObject({ capabilities: { confinement } });
  });

  it('[BND-2.7] [BND-2.4] the demo agent works in the sandbox, and its commands go by the broker', async () => {
    const { id } = await createProject(system.api, projectFor('Confined', service.url));
    const chain = await endedChain(system.api, (await startChain(system.api, id)).id);
    expect(chain.outcome).toBe('fixed');
    expect(ran()).toEqual(['restart web']);
    const [one, two] = await sessionsOf(system.api, chain);
    expect(two?.mechanism).toBe('resume');
    for (const session of [one, two]) {
      expect(session?.attempts[0]?.command?.confinement).toBe('confined');
    }
    const events = await eventsOf(system.api, two?.id ?? '');
    const restarts = events.flatMap(({ kind, payload }) =>
      kind === 'brokered' && JSON.stringify(payload.argv).includes('restart') ? [payload] : [],
    );
    expect(restarts).toMatchObject([
      { phase: 'started', rule: 'Bash(democtl restart web)', changes: true },
      { phase: 'ended', end: { exitCode: 0 } },
    ]);
  });

  it('[BND-2.4] a runner that is killed during a command has it ended, and nothing runs twice', async () => {
    service.breakAgain();
    const before = ran().length;
    installProgram('sleep 300');
    const { id } = await createProject(system.api, projectFor('Killed', service.url));
    const { id: chainId } = await startChain(system.api, id);
    await eventually('the command runs', () => ran().length > before, 60_000);
    await runner.end('SIGKILL');
    runner.start();
    const chain = await endedChain(system.api, chainId);
    expect(chain.outcome).not.toBe('fixed');
    expect(ran()).toHaveLength(before + 1);
    const [, two] = await sessionsOf(system.api, chain);
    const events = await eventsOf(system.api, two?.id ?? '');
    const phases = events.flatMap(({ kind, payload }) =>
      kind === 'brokered' && JSON.stringify(payload.argv).includes('restart')
        ? [payload.phase]
        : [],
    );
    // An intent without an end: it may have run.
    expect(phases).toEqual(['started']);
  });
});
