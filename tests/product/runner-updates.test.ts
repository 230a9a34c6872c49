/** Runners replace their own program on request, and take back one that doesn't come online. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { enrolmentDtoSchema, type RunnerDto, runnerDtoSchema } from '@/lib/fleet/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { eventually } from '../bootstrap/eventually';
import { startBrokenService } from '../support/system/broken-service';
import {
  createProject,
  endedChain,
  runChain,
  sessionsOf,
  startChain,
} from '../support/system/chain-run';
import { useSharedSystem } from '../support/system/use-system';
import { type BareHost, bareHost } from './support/bare-host';
import { openNetworkBetween } from './support/network-between';
import { talkativeAgent } from './support/talkative-agent';

const network = await openNetworkBetween();
const system = useSharedSystem(async ({ url }) => {
  network.target = url;
});
afterAll(() => network.close());

const hosts: BareHost[] = [];
afterEach(async () => {
  network.restore();
  for (const host of hosts.splice(0)) await host.close();
});

const PATIENCE_MS = 90_000;
const runnersSchema = pageSchema(runnerDtoSchema);
const sumOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
const served = async () =>
  Buffer.from(await (await fetch(`${system.url}/runner.mjs`)).arrayBuffer());
const beside = (host: BareHost, name: string) => path.join(host.folder, name);
const fileOf = (host: BareHost) => beside(host, 'tierwatch-runner.mjs');
const nextOf = (host: BareHost) => beside(host, 'tierwatch-runner.next.mjs');
const previousOf = (host: BareHost) => beside(host, 'tierwatch-runner.previous.mjs');
const sumOnDisk = (host: BareHost) => sumOf(readFileSync(fileOf(host)));

async function findRunner(name: string): Promise<RunnerDto | undefined> {
  const { data } = await system.api.get('runners', runnersSchema);
  return data.find((runner) => runner.name === name);
}

async function runnerNamed(name: string): Promise<RunnerDto> {
  const found = await findRunner(name);
  if (!found) throw new Error(`There is no runner ${name}.`);
  return found;
}

function where(name: string, what: string, holds: (runner: RunnerDto) => boolean) {
  const look = async () => {
    const runner = await findRunner(name);
    return runner && holds(runner) ? runner : null;
  };
  return eventually(`${name} ${what}`, look, PATIENCE_MS);
}

/** The file follows the heartbeat that says so. */
const replaced = (host: BareHost, sha256: string) =>
  eventually('the file is replaced', () => sumOnDisk(host) === sha256 && !existsSync(nextOf(host)));

const update = ({ id }: RunnerDto) => system.api.post(`runners/${id}/update`, {}, runnerDtoSchema);

/** A host whose runner has an older file than this installation. */
async function olderRunner(name: string, env: Record<string, string> = {}) {
  const host = bareHost(name);
  hosts.push(host);
  const older = Buffer.concat([await served(), Buffer.from('\n// An older version.\n')]);
  writeFileSync(fileOf(host), older);
  const { command } = await system.api.post('runners', { pool: name }, enrolmentDtoSchema);
  const start = `${command.split(' && ')[1]} --name ${name}`.replaceAll(system.url, network.url);
  const settings = { TIERWATCH_RUNNER_UPDATE_SECONDS: '20', ...env };
  const running = host.run(start, settings);
  const runner = await where(name, 'is online', ({ status }) => status === 'online');
  return { host, runner, older: sumOf(older), running, again: () => host.run(start, settings) };
}

/** A control plane of a version whose runner is broken. */
function serveInstead(real: string, program: string): string {
  const content = Buffer.from(program);
  const broken = sumOf(content);
  network.change('/runner.mjs', () => content);
  const rename = (body: Buffer) => Buffer.from(body.toString().replaceAll(real, broken));
  for (const path of ['directives', 'heartbeat']) network.change(`/api/runner/v1/${path}`, rename);
  return broken;
}

async function healthyProject(pool: string, harness: 'demo' | 'claude') {
  const root = path.join(system.dataDir, 'services', pool);
  const service = await startBrokenService(root);
  writeFileSync(path.join(root, 'repaired'), '');
  const project = await createProject(system.api, {
    name: `On ${pool}`,
    harness,
    // The program in the CLI's place isn't in the sandbox.
    isolation: 'open',
    runnerPool: pool,
    services: [{ name: 'web', checks: [{ type: 'http', target: service.url, timeoutSeconds: 5 }] }],
    schedule: { kind: 'manual', timeZone: 'UTC' },
    tiers: [{ tier: 1, allowedTools: [] }],
    maxTier: 1,
  });
  return { project, close: () => service.close() };
}

describe('[FLT-5.2] an update', () => {
  it('whose file is altered on its way is refused; the next one replaces the program in place, keeps key, folder and process, and runs chains', async () => {
    const { host, runner, older } = await olderRunner('good');
    expect(runner.update).toMatchObject({ isAvailable: true, obstacle: null, state: 'none' });
    expect(runner.problems.map(({ code }) => code)).toContain('outdated');
    const current = sumOf(await served());
    const key = readFileSync(path.join(host.folder, '.runner', 'runner-key'), 'utf8');
    const [oldest] = host.pids();
    network.change('/runner.mjs', (body) => Buffer.concat([body, Buffer.from('// changed\n')]));
    await update(runner);
    const failed = await where('good', 'says why', ({ update }) => update.state === 'failed');
    expect(failed.update.failure).toMatch(/has the checksum .* instead of/);
    expect(sumOnDisk(host)).toBe(older);
    network.restore();
    await update(failed);
    const updated = await where('good', 'is up to date', ({ update, status }) => {
      return status === 'online' && !update.isAvailable && update.state === 'none';
    });
    expect(updated).toMatchObject({
      id: runner.id,
      capabilities: { program: { sha256: current } },
    });
    await replaced(host, current);
    expect(sumOf(readFileSync(previousOf(host)))).toBe(older);
    expect(readFileSync(path.join(host.folder, '.runner', 'runner-key'), 'utf8')).toBe(key);
    expect(host.pids()).toContain(oldest);
    const { project, close } = await healthyProject('good', 'demo');
    expect((await runChain(system.api, project.id)).outcome).toBe('healthy');
    await close();
    const again = await system.api.send('POST', `runners/${runner.id}/update`, {});
    expect(again.status).toBe(409);
    expect(await again.text()).toContain('already has the version of this installation');
  });

  it('that is requested while a chain runs waits for its attempt', async () => {
    const agentDir = path.join(system.dataDir, 'agent');
    mkdirSync(agentDir);
    const agent = await talkativeAgent(agentDir, 4);
    const { PATH = '' } = process.env;
    const { host, runner, older } = await olderRunner('busy', {
      CLAUDE_BIN: agent.file,
      ANTHROPIC_API_KEY: 'key-of-the-host',
      PATH,
    });
    const { project, close } = await healthyProject('busy', 'claude');
    const started = await startChain(system.api, project.id);
    agent.letBegin();
    await where('busy', 'runs the attempt', ({ slotsInUse }) => slotsInUse === 1);
    await update(runner);
    await where('busy', 'has its turn', ({ update }) => update.state === 'running');
    // The directive arrives at once, and the attempt must outlive it.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(sumOnDisk(host)).toBe(older);
    expect(existsSync(nextOf(host))).toBe(false);
    expect(await runnerNamed('busy')).toMatchObject({ slotsInUse: 1, status: 'online' });
    agent.letGoOn();
    const chain = await endedChain(system.api, started.id);
    const [session] = await sessionsOf(system.api, chain);
    expect(session?.attempts.map(({ exit }) => exit?.kind)).toEqual(['completed']);
    await where('busy', 'is up to date', ({ update }) => {
      return update.state === 'none' && !update.isAvailable;
    });
    await replaced(host, sumOf(await served()));
    await close();
  });

  it('to a version that exits, or never comes online, is taken back, and the page says why', async () => {
    const { host, runner, older } = await olderRunner('bad', {
      TIERWATCH_RUNNER_UPDATE_SECONDS: '5',
    });
    for (const [program, reason] of [
      ['process.exit(3);', /exited before it was online \(exit code 3\)/],
      ['setInterval(() => {}, 1000);', /was not online within 5 s/],
    ] as const) {
      network.restore();
      serveInstead(sumOf(await served()), program);
      await update(runner);
      const failed = await where('bad', 'says why', ({ update, status }) => {
        return status === 'online' && reason.test(update.failure ?? '');
      });
      expect(failed.update.state).toBe('failed');
      expect(failed.problems.find(({ code }) => code === 'update_failed')?.message).toMatch(reason);
      expect(failed.capabilities?.program?.sha256).toBe(older);
      expect(sumOnDisk(host)).toBe(older);
    }
    const { project, close } = await healthyProject('bad', 'demo');
    expect((await runChain(system.api, project.id)).outcome).toBe('healthy');
    await close();
  });

  it('that is killed while the new version is tried leaves the old one in place', async () => {
    const { host, runner, older, again } = await olderRunner('killed', {
      TIERWATCH_RUNNER_UPDATE_SECONDS: '600',
    });
    serveInstead(sumOf(await served()), 'setInterval(() => {}, 1000);');
    await update(runner);
    await eventually('the new version is tried', () => existsSync(nextOf(host)), PATIENCE_MS);
    await eventually('two processes', () => host.pids().length >= 2);
    host.kill();
    await eventually('all have ended', () => host.pids().length === 0);
    network.restore();
    again();
    const failed = await where('killed', 'says why', ({ update }) => update.state === 'failed');
    expect(failed.update.failure).toMatch(/was interrupted before the new version was online/);
    expect(failed.capabilities?.program?.sha256).toBe(older);
    expect(sumOnDisk(host)).toBe(older);
  });

  it('of a checkout is not made from here, with the reason', async () => {
    await system.addRunner({ name: 'checkout', pool: 'checkout' });
    const runner = await runnerNamed('checkout');
    expect(runner.update.obstacle).toMatch(/runs from a checkout|runs in a container/);
    const refused = await system.api.send('POST', `runners/${runner.id}/update`, {});
    expect(refused.status).toBe(409);
    expect(await refused.text()).toMatch(/can’t be updated from here/);
  });
});
