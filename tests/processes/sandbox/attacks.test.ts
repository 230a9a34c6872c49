/**
 * Attacks on the runner from inside a sandbox: an agent of a few lines of JavaScript, in a runner that
 * is a process of its own. After each one the runner has to be there and has to run the next attempt.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_TARGETS } from '@/lib/commands/service-values';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { CommandPolicy } from '@/lib/protocol/spec';
import { canConfine } from '../../support/confinement';
import { attemptSpec } from '../../support/fake-control-plane/attempt-spec';
import { processesWith } from '../../support/fake-control-plane/processes';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

/** Helpers for the agent, beside those of every script. */
const HELPERS = `
const net = require('node:net');
const { execSync, spawnSync } = require('node:child_process');
const sh = (line) => spawnSync('bash', ['-c', line], { encoding: 'utf8' });
const told = (value) => text(JSON.stringify(value));
const finish = () => { transcript(); result(); };
const ask = (...texts) => new Promise((resolve) => {
  const socket = net.connect(8401, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => { answer += chunk; });
  socket.on('close', () => resolve(answer));
  socket.on('error', () => resolve('error'));
  socket.write(texts.map((each) => each + '\\0').join(''));
});
init();
`;

/** A busy machine takes long for thousands of connections. */
const PATIENCE_MS = 200_000;

const POLICY: CommandPolicy = {
  allowed: ['Bash(fakectl {word})', 'Bash(fakectl apply -f {path under .})', 'Bash(cat {word})'],
  denied: [],
  askFirst: [],
  secrets: [],
  values: { targets: NO_TARGETS, service: [], host: [], url: [] },
};

/** What processes of the bombs are found by. */
const SECONDS = String(800_000 + process.pid);
const BUSY = `busy-${process.pid}`;

async function withAgent(
  body: string,
  use: (host: RunnerHost) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const bin = execFileSync('mktemp', ['-d', '/var/tmp/tw-attack-XXXXXX'], {
    encoding: 'utf8',
  }).trim();
  const program = path.join(bin, 'fakectl');
  writeFileSync(
    program,
    `#!/bin/sh\necho "$*" >> ${bin}/ran\ncase $1 in long) sleep 60;; flood) yes;; apply) ls -R "$3"; cat "$3";; *) echo answered;; esac\n`,
    { mode: 0o755 },
  );
  const host = await startRunnerHost({
    agent: HELPERS + body,
    env: { PATH: `${bin}:${process.env.PATH}`, BIN: bin, ...env },
  });
  try {
    await use(host);
  } finally {
    await host.close();
    execFileSync('rm', ['-rf', bin]);
  }
}

async function attack(host: RunnerHost, changes = {}) {
  return host.run(
    {
      start: {
        isolation: 'required',
        commands: POLICY,
        allowedRules: ['Edit(./**)'],
        limits: { timeoutSeconds: 150, stallSeconds: 150, maxTurns: 5, maxBudgetUsd: null },
        ...changes,
      },
    },
    PATIENCE_MS,
  );
}

function textsOf(events: readonly RunnerEvent[]): string {
  return events.flatMap((event) => (event.kind === 'text' ? [event.text] : [])).join('\n');
}

/** What agents have left is deleted by a process beside the runner. */
async function isDeleted(host: RunnerHost): Promise<void> {
  const trash = path.join(host.runnerDir, 'trash');
  const listed = () => execFileSync('ls', [trash], { encoding: 'utf8' });
  await expect.poll(listed, { timeout: 60_000 }).toBe('');
}

const survived = { startError: null, exit: { code: 0, signal: null } };

describe.skipIf(!canConfine)('an agent that attacks its runner', () => {
  it.each([
    [
      '3,000 nested folders',
      `sh('cd /agent/tmp; n=$(printf "x%.0s" {1..200}); for i in {1..3000}; do mkdir $n && cd $n || break; done');`,
    ],
    [
      'folders that nobody may read',
      `sh('mkdir -p /agent/tmp/a/b; chmod 000 /agent/tmp/a; chmod 000 /agent/state');`,
    ],
    [
      'a folder in the place of its conversation',
      `transcript(); const dir = process.env.CLAUDE_CONFIG_DIR + '/projects/-project/'; sh('cd ' + dir + '; mv *.jsonl gone; mkdir ' + flag('--session-id') + '.jsonl'); told('x'); result(); process.exit(0);`,
    ],
    [
      'a link in the place of its conversation',
      `const dir = process.env.CLAUDE_CONFIG_DIR + '/projects/-project/'; sh('mkdir -p ' + dir + '; ln -s /etc/shadow ' + dir + flag('--session-id') + '.jsonl'); told('x'); result(); process.exit(0);`,
    ],
    [
      'a conversation of 60 GB',
      `transcript(); sh('truncate -s 60G ' + process.env.CLAUDE_CONFIG_DIR + '/projects/-project/' + flag('--session-id') + '.jsonl'); result(); process.exit(0);`,
    ],
    [
      'thousands of half requests',
      `const all = []; for (let i = 0; i < 2000; i += 1) { const s = net.connect(i % 2 ? 8401 : 8400, '127.0.0.1'); s.on('error', () => {}); s.write(i % 2 ? 'run\\0/\\0' + '9'.repeat(3) + '\\0' + '\\xff'.repeat(60000) : 'POST /v1/messages HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 99999999\\r\\n\\r\\n{'); all.push(s); } await new Promise((r) => setTimeout(r, 2000));`,
    ],
    [
      'garbage',
      `for (const port of [8400, 8401]) for (const bytes of ['\\0\\0\\0', 'GET', 'run\\0\\0-1\\0', 'end\\0x\\0', 'errors\\0\\0', Buffer.alloc(100000, 255)]) { const s = net.connect(port, '127.0.0.1'); s.on('error', () => {}); s.end(bytes); } await new Promise((r) => setTimeout(r, 500));`,
    ],
  ])('[BND-2.1] %s: the runner survives', (_what, body) =>
    withAgent(`(async () => { ${body} finish(); process.exit(0); })();`, async (host) => {
      const first = await attack(host);
      expect(first.results[0]).toMatchObject(survived);
      const second = await attack(host);
      expect(second.results[0]).toMatchObject(survived);
      await isDeleted(host);
    }),
  );

  it('[BND-1.2] gets no descriptor that the runner was started with, no keyring and no other socket', () =>
    withAgent(
      `told(fs.readdirSync('/proc/self/fd').map((fd) => { try { return fs.readlinkSync('/proc/self/fd/' + fd); } catch { return ''; } }).filter((link) => link.startsWith('/') && !link.startsWith('/dev/null') && !link.startsWith('/proc')));
       told(sh('python3 -c "import ctypes; print(ctypes.CDLL(None, use_errno=True).syscall(250, 0, -3, 0), ctypes.get_errno())"; cat /proc/keys | wc -c').stdout);
       told(sh('python3 -c "import socket; socket.socket(40, 1)" 2>&1 | tail -1').stdout);
       told(sh('python3 -c "import socket; socket.socket(socket.AF_INET, 1); print(1)"').stdout); finish();`,
      async (host) => {
        const told = textsOf((await attack(host)).events());
        const [links, keyring, vsock, inet] = told.split('\n').map((line) => JSON.parse(line));
        expect(links.filter((link: string) => !link.endsWith('(deleted)'))).toEqual([]);
        expect(keyring).toMatch(/^-1 1\n0\n$/);
        expect(vsock).toContain('Address family not supported');
        expect(inet).toBe('1\n');
      },
    ));

  it('[BND-2.1] speaks to the broker directly: nothing more than by the shims', () =>
    withAgent(
      `(async () => {
        told(await ask('run', '/project', '2', 'cat', 'x'));
        told(await ask('run', '/project', '2', '../../bin/bash', '-c'));
        told(await ask('run', '/project', '1', 'sudo'));
        sh('ln -s /etc /project/leak');
        told(sh('fakectl apply -f .; fakectl apply -f leak/shadow; fakectl apply -f /project').stderr);
        const long = sh('fakectl ' + 'x'.repeat(40000) + '; echo $?');
        told([long.stdout, long.stderr]);
        told(sh('fakectl $(seq 600)').stderr);
        finish();
      })();`,
      async (host) => {
        const attempt = await attack(host);
        const brokered = attempt
          .events()
          .flatMap((event) => (event.kind === 'brokered' ? [event] : []));
        expect(new Set(brokered.map(({ phase }) => phase))).toEqual(new Set(['refused']));
        expect(brokered.map(({ refusal }) => refusal?.code)).toEqual([
          ...['not_brokered', 'not_runnable', 'no_rule'],
          ...['file_not_passed', 'argument_not_allowed', 'file_not_passed'],
          ...['too_long', 'too_long'],
        ]);
        const told = textsOf(attempt.events());
        expect(told).toContain('It is longer than the 32 kB that a command may have.');
        expect(told).toContain('126');
      },
    ));

  it('[BND-2.8] a command that runs when the attempt ends is ended with it, and recorded', () =>
    withAgent(
      `require('node:child_process').spawn('bash', ['-c', 'fakectl long'], { detached: true, stdio: 'ignore' }).unref();
       setTimeout(() => { finish(); process.exit(0); }, 1500);`,
      async (host) => {
        const attempt = await attack(host);
        const phases = attempt
          .events()
          .flatMap((event) => (event.kind === 'brokered' ? [event.phase] : []));
        expect(phases).toEqual(['started', 'ended']);
        const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
        expect(running).not.toMatch(/fakectl long/);
      },
    ));

  // Each is bounded by itself, too: a runner that limits nothing must not take this machine down.
  it('[BND-1.2] 3,000 processes that stay: the runner survives, and allows as many as it reports', () =>
    withAgent(
      `let started = 0;
       for (let i = 0; i < 3000; i += 1) {
         const child = spawn('sleep', ['${SECONDS}'], { stdio: 'ignore', detached: true });
         child.on('error', () => {});
         if (child.pid !== undefined) started += 1;
       }
       told(started); finish(); process.exit(0);`,
      async (host) => {
        const first = await attack(host);
        expect(first.results[0]).toMatchObject(survived);
        expect(processesWith(`sleep ${SECONDS}`)).toEqual([]);
        const started = Number(textsOf(first.events()));
        const reported = host.plane.heartbeats.at(-1)?.capabilities.limits;
        // Nothing limits the processes of root on a host without cgroups, and the runner says so.
        if (reported?.of === 'none') expect(started).toBe(3_000);
        else expect([reported?.processes, started < 200, started > 50]).toEqual([200, true, true]);
        expect((await attack(host)).results[0]).toMatchObject(survived);
      },
      { TIERWATCH_RUNNER_MAX_PROCESSES: '200' },
    ));

  it('[BND-1.2] a fork bomb and 8 busy processes: heartbeats keep the lease, and a stop ends them all', () =>
    withAgent(
      `for (let i = 0; i < 8; i += 1) spawn('setsid', ['sh', '-c', 'while :; do :; done; : ${BUSY}'], { stdio: 'ignore' }).unref();
       spawn('sh', ['-c', 'bomb() { sh -c ": ${BUSY}; sleep 1" & [ $1 -gt 3000 ] || bomb $(($1 + 1)); }; while :; do bomb 0; done 2>/dev/null'], { stdio: 'ignore' }).on('error', () => {});
       const ask1 = async () => { told(await ask('run', '/project', '2', 'fakectl', 'restart')); setTimeout(ask1, 3000); };
       setTimeout(ask1, 1000);`,
      async (host) => {
        const spec = attemptSpec({
          leaseSeconds: 25,
          start: {
            isolation: 'required',
            commands: POLICY,
            limits: { timeoutSeconds: 150, stallSeconds: 150, maxTurns: 5, maxBudgetUsd: null },
          },
        });
        host.plane.queue(spec);
        const attempt = host.plane.attempt(spec.attemptId);
        const renewals = () =>
          host.plane.heartbeats.filter(({ running }) =>
            running.some(({ attemptId }) => attemptId === spec.attemptId),
          ).length;
        // The second is later than the lease that the claim gave: the first has kept it.
        await host.plane.until(() => renewals() >= 2, 'two heartbeats', PATIENCE_MS);
        host.plane.direct({ kind: 'stop', attemptId: spec.attemptId, reason: 'operator' });
        await host.plane.until(() => attempt.results.length > 0, 'the result', PATIENCE_MS);
        expect(attempt.results[0]).toMatchObject({ stopCause: 'operator', startError: null });
        const brokered = attempt
          .events()
          .flatMap((event) => (event.kind === 'brokered' ? [event] : []));
        // A heartbeat that came too late would have let the lease expire, and the commands be refused.
        expect(brokered.flatMap(({ refusal }) => refusal?.code ?? [])).toEqual([]);
        expect(brokered.filter(({ phase }) => phase === 'ended').length).toBeGreaterThan(4);
        expect(processesWith(BUSY)).toEqual([]);
        const before = host.plane.heartbeats.length;
        await host.plane.until(
          () => host.plane.heartbeats.slice(before).some(({ running }) => running.length === 0),
          'a heartbeat without it',
          PATIENCE_MS,
        );
      },
      { TIERWATCH_RUNNER_MAX_PROCESSES: '200' },
    ));

  it('[BND-1.2] runs behind the runner, in a sandbox and without one', () =>
    withAgent(
      `const read = (pid) => [require('node:os').getPriority(pid), fs.readFileSync('/proc/self/oom_score_adj', 'utf8').trim()];
       told(read(0)); told(sh('ps -o ni= -p $$').stdout.trim()); finish();`,
      async (host) => {
        for (const isolation of ['required', 'off']) {
          const attempt = await attack(host, { isolation });
          expect(textsOf(attempt.events())).toBe('[5,"500"]\n"5"');
        }
      },
    ));

  it('a loop of refused commands fills no disk', () =>
    withAgent(
      `(async () => { for (let i = 0; i < 60; i += 1) await Promise.all(Array.from({ length: 10 }, () => ask('run', '/', '1', 'sudo'))); finish(); process.exit(0); })();`,
      async (host) => {
        const events = (await attack(host)).events();
        expect(events.filter(({ kind }) => kind === 'brokered').length).toBeLessThanOrEqual(600);
        expect(events).toContainEqual(expect.objectContaining({ code: 'COMMANDS_REFUSED' }));
      },
    ));

  it('what it has left is deleted', () =>
    withAgent(`sh('mkdir -p /agent/tmp/a; chmod 000 /agent/tmp/a'); finish();`, async (host) => {
      const attempt = await attack(host);
      const left = path.join(host.runnerDir, 'attempts', attempt.spec.attemptId);
      await expect.poll(() => existsSync(left), { timeout: 20_000 }).toBe(false);
      await isDeleted(host);
    }));
});
