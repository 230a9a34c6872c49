/** A host that has only Node becomes a runner with the one line that "Add runner" shows. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type EnrolmentDto, enrolmentDtoSchema } from '@/lib/fleet/schema';
import { eventually } from '../bootstrap/eventually';
import { processesWith } from '../support/fake-control-plane/processes';
import { startBrokenService } from '../support/system/broken-service';
import { createProject, runChain, sessionsOf } from '../support/system/chain-run';
import { useSystem } from '../support/system/use-system';
import { type BareHost, bareHost } from './support/bare-host';
import { openNetworkBetween } from './support/network-between';

const network = await openNetworkBetween();
const system = useSystem({ publicUrl: network.url }, async ({ url }) => {
  network.target = url;
});
afterAll(() => network.close());

const run = promisify(execFile);
const hosts: BareHost[] = [];
function newHost(...options: Parameters<typeof bareHost>): BareHost {
  const host = bareHost(...options);
  hosts.push(host);
  return host;
}
afterEach(async () => {
  network.restore();
  for (const host of hosts.splice(0)) await host.close();
});

const enrolment = (pool: string) => system.api.post('runners', { pool }, enrolmentDtoSchema);
const named = (line: string, name: string) => `${line} --name ${name}`;
const modeOf = (file: string) => statSync(file).mode & 0o777;

/** A chain of the demo agent over one service that is up. */
async function healthyChain(pool: string) {
  const service = await startBrokenService(path.join(system.dataDir, 'services', pool));
  writeFileSync(path.join(system.dataDir, 'services', pool, 'repaired'), '');
  try {
    const project = await createProject(system.api, {
      name: `On ${pool}`,
      harness: 'demo',
      runnerPool: pool,
      services: [
        { name: 'web', checks: [{ type: 'http', target: service.url, timeoutSeconds: 5 }] },
      ],
      schedule: { kind: 'manual', timeZone: 'UTC' },
      tiers: [{ tier: 1, allowedTools: [] }],
      maxTier: 1,
    });
    return await runChain(system.api, project.id);
  } finally {
    await service.close();
  }
}

describe('[FLT-5.1] the line that the dialog shows', () => {
  it('makes a runner of an empty folder with Node alone, which runs a chain', async () => {
    const host = newHost('bare');
    const { command, token } = await enrolment('bare');
    expect(command).toContain(network.url);
    expect(command).not.toContain('\n');
    const running = host.run(named(command, 'bare'));
    await system.runnerIsOnline('bare');
    const chain = await healthyChain('bare');
    expect(chain.outcome).toBe('healthy');
    const [session] = await sessionsOf(system.api, chain);
    expect(session?.attempts[0]?.runner?.name).toBe('bare');
    expect(readdirSync(host.folder).sort()).toEqual(['.runner', 'tierwatch-runner.mjs']);
    expect(modeOf(path.join(host.folder, '.runner', 'runner-key'))).toBe(0o600);
    // What has no claude says so, with what to do.
    expect(running.output()).toMatch(/Claude Code can't start here\..*Install Claude Code/);
    expect(processesWith(token)).toEqual([]);
    expect(running.output()).not.toContain(token);
  });

  it('starts the runner again, although its token is used up', async () => {
    const host = newHost('again');
    const { command } = await enrolment('again');
    host.run(named(command, 'again'));
    await system.runnerIsOnline('again');
    host.kill();
    await eventually('it has ended', () => host.pids().length === 0);
    const second = host.run(named(command, 'again'));
    await eventually('it is ready', () => second.output().includes('runner ready'));
  });

  it('runs nothing of a file that was altered on its way, and leaves the token unused', async () => {
    const host = newHost('altered');
    network.change('/runner.mjs', (body) => {
      const altered = Buffer.from(body);
      altered[altered.length - 2] = (altered[altered.length - 2] ?? 0) ^ 1;
      return altered;
    });
    const { command } = await enrolment('altered');
    const refused = await host.run(command).ended;
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/is not the one that this command is for, so it was not run/);
    expect(readdirSync(host.folder)).toEqual([]);
    network.restore();
    host.run(named(command, 'altered'));
    await system.runnerIsOnline('altered');
  });

  it('says what is wrong where the address does not answer', async () => {
    const host = newHost('away');
    const { command } = await enrolment('away');
    const away = await host.run(command.replaceAll(network.url, 'http://127.0.0.1:9')).ended;
    expect(away.code).toBe(1);
    expect(away.output).toMatch(/Can not fetch http:\/\/127\.0\.0\.1:9\/runner\.mjs/);
  });

  it('is for the file and the checksum that anyone can fetch', async () => {
    const { command } = await enrolment('sum');
    const file = await (await fetch(`${system.url}/runner.mjs`)).arrayBuffer();
    const sum = createHash('sha256').update(Buffer.from(file)).digest('hex');
    expect(command).toContain(sum);
    const told = await (await fetch(`${system.url}/runner.mjs.sha256`)).text();
    expect(told).toBe(`${sum}  runner.mjs\n`);
  });
});

describe('[FLT-5.1] with --service', () => {
  const UNIT = '.config/systemd/user/tierwatch-runner.service';

  /** Stands in for systemd's programs, and writes down how they are called. */
  function withSystemd(host: BareHost, code = 0): void {
    const called = `echo "$0 $*" >> '${host.folder}/called'`;
    const script = `#!/bin/sh\n${called}\nexit ${code}\n`;
    for (const name of ['systemctl', 'loginctl']) {
      writeFileSync(path.join(host.binDir, name), script, { mode: 0o755 });
    }
  }

  /** What systemd would do with the unit. */
  function startUnit(host: BareHost): void {
    const unit = readFileSync(path.join(host.folder, UNIT), 'utf8');
    const value = (name: string) => new RegExp(`^${name}=-?(.*)$`, 'm').exec(unit)?.[1] ?? '';
    const settings = [...unit.matchAll(/^Environment="(\w+)=(.*)"$/gm)];
    const env = Object.fromEntries(settings.map(([, name = '', text = '']) => [name, text]));
    const keys = readFileSync(value('EnvironmentFile'), 'utf8').trimEnd().split('\n');
    host.run(`set -a\n${keys.join('\n')}\nset +a\n${value('ExecStart')}`, env);
  }

  async function install(host: BareHost, { serviceCommand }: EnrolmentDto, name: string) {
    const env = { ANTHROPIC_API_KEY: 'key "of" $the \\ host' };
    return host.run(named(serviceCommand, name), env).ended;
  }

  it('installs a hardened user service, which systemd accepts and which becomes a runner', async () => {
    const host = newHost('service', { isOwn: true });
    withSystemd(host);
    const enrolled = await enrolment('service');
    const { code, output } = await install(host, enrolled, 'service');
    expect(output).toContain('The runner runs as the service tierwatch-runner.service');
    expect(code).toBe(0);
    const file = path.join(host.folder, UNIT);
    const unit = readFileSync(file, 'utf8');
    for (const line of [
      'NoNewPrivileges=yes',
      'RestrictSUIDSGID=yes',
      'UMask=0077',
      'Restart=on-failure',
      'KillMode=mixed',
    ]) {
      expect(unit).toContain(`\n${line}\n`);
    }
    expect(unit).not.toContain(enrolled.token);
    const settings = path.join(host.folder, '.runner', 'runner.env');
    expect(modeOf(settings)).toBe(0o600);
    expect(readFileSync(settings, 'utf8')).not.toContain(enrolled.token);
    expect(readdirSync(path.dirname(file))).toEqual(['tierwatch-runner.service']);
    const called = readFileSync(path.join(host.folder, 'called'), 'utf8');
    expect(called).toMatch(
      /daemon-reload\n.*enable tierwatch-runner.*\n.*restart tierwatch-runner/,
    );
    await verifyUnit(file);
    startUnit(host);
    await system.runnerIsOnline('service');
  });

  it('without systemd says what to do, installs nothing and leaves the token unused', async () => {
    const host = newHost('no-systemd', { isOwn: true });
    const enrolled = await enrolment('no-systemd');
    const { code, output } = await install(host, enrolled, 'no-systemd');
    expect(code).toBe(1);
    expect(output).toMatch(/this host has no systemctl\. Nothing was installed.*without --service/);
    expect(readdirSync(host.folder)).toEqual(['tierwatch-runner.mjs']);
    host.run(named(enrolled.command, 'no-systemd'));
    await system.runnerIsOnline('no-systemd');
  });

  it('says what to do where the user has no systemd of their own', async () => {
    const host = newHost('no-bus', { isOwn: true });
    withSystemd(host, 1);
    const { code, output } = await install(host, await enrolment('no-bus'), 'no-bus');
    expect(code).toBe(1);
    expect(output).toMatch(/loginctl enable-linger/);
  });

  it.runIf(process.getuid?.() === 0)('refuses to run the agent with full privileges', async () => {
    const host = newHost('as-root');
    withSystemd(host);
    const { code, output } = await install(host, await enrolment('as-root'), 'as-root');
    expect(code).toBe(1);
    expect(output).toMatch(/would run with full privileges\. Nothing was installed/);
  });
});

/** By systemd itself where it is installed, which reports what it doesn't know and still exits with 0. */
async function verifyUnit(file: string): Promise<void> {
  const env = { ...process.env, XDG_RUNTIME_DIR: path.dirname(file) };
  try {
    const verified = await run('systemd-analyze', ['--user', 'verify', file], { env });
    expect(verified.stderr).not.toContain(path.basename(file));
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent) throw error;
  }
}
