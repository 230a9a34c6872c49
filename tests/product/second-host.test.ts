/** A runner's folder is copied to a second host while the first one works. */
import { cpSync, lstatSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { runnerDtoSchema } from '@/lib/fleet/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { eventually } from '../bootstrap/eventually';
import { startBrokenService } from '../support/system/broken-service';
import { createProject, runChain, sessionsOf } from '../support/system/chain-run';
import type { ProductProcess } from '../support/system/product-process';
import type { EnrolledRunner } from '../support/system/runner';
import { useSharedSystem } from '../support/system/use-system';

const CHAINS = 4;
const system = useSharedSystem();
const seconds: ProductProcess[] = [];
let project: string;

beforeAll(async () => {
  const root = path.join(system.dataDir, 'services');
  const service = await startBrokenService(root);
  writeFileSync(path.join(root, 'repaired'), '');
  const target = service.url;
  const made = await createProject(system.api, {
    name: 'Two hosts',
    harness: 'demo',
    services: [{ name: 'web', checks: [{ type: 'http', target, timeoutSeconds: 5 }] }],
    schedule: { kind: 'manual', timeZone: 'UTC' },
    tiers: [{ tier: 1, allowedTools: [] }],
    maxTier: 1,
  });
  project = made.id;
  return () => service.close();
});

afterEach(async () => {
  for (const second of seconds.splice(0)) await second.end('SIGKILL');
});

/** The folder of `first` on a second host; `without` is left out of the copy. */
function copyOf(first: EnrolledRunner, name: string, without: string[]): ProductProcess {
  const dir = path.join(system.dataDir, 'runners', name);
  const left = ['runner.lock', ...without];
  const isCopied = (file: string) =>
    !left.includes(path.basename(file)) && !lstatSync(file).isSocket();
  cpSync(first.dir, dir, { recursive: true, filter: isCopied });
  const second = first.twin(name, dir);
  seconds.push(second);
  system.adopt(second);
  return second;
}

const startsOf = (process: ProductProcess) =>
  process
    .output()
    .split('\n')
    .filter((line) => line.includes('"attempt started"'));

async function problemsOf(name: string): Promise<string[]> {
  const { data } = await system.api.get('runners', pageSchema(runnerDtoSchema));
  return data.find((each) => each.name === name)?.problems.map(({ code }) => code) ?? [];
}

/** Chains one after the other; every one is to end healthy after one process. */
async function runChains(): Promise<void> {
  for (let count = 0; count < CHAINS; count += 1) {
    const chain = await runChain(system.api, project);
    expect(chain.outcome).toBe('healthy');
    const sessions = await sessionsOf(system.api, chain);
    expect(sessions.map(({ attempts }) => attempts.length)).toEqual([1]);
  }
}

it('[SEC-2.3] a second host with the key alone starts nothing, and the organization is told', async () => {
  const first = await system.addRunner({ name: 'first' });
  const second = copyOf(first, 'key-alone', ['instance']);
  second.start();
  await eventually('the second is refused', () =>
    second.output().includes('Another process is using this runner’s key'),
  );
  await runChains();
  expect(startsOf(first)).toHaveLength(CHAINS);
  expect(startsOf(second)).toEqual([]);
  expect(await problemsOf('first')).toContain('key_shared');
  await first.end();
});

it('[SEC-2.3] of two hosts with the whole folder one works, and no attempt runs twice', async () => {
  const first = await system.addRunner({ name: 'copied' });
  const second = copyOf(first, 'copy', []);
  second.start();
  await runChains();
  await eventually('one of them is refused', () =>
    [first, second].some((each) =>
      each.output().includes('Another process is using this runner’s key'),
    ),
  );
  await runChains();
  const started = [first, second].flatMap((each) => startsOf(each));
  const attempts = started.map((line) => JSON.parse(line).attemptId);
  expect(attempts).toHaveLength(2 * CHAINS);
  expect(new Set(attempts).size).toBe(2 * CHAINS);
  expect(await problemsOf('copied')).toContain('key_shared');
});
