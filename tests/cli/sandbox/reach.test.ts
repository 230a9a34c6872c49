/**
 * What a confined agent can reach with every tool allowed. The judges are outside: secrets that
 * appear in a request to the model, files that were made, servers that were connected to.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { StartSpec } from '@/lib/protocol/spec';
import { callBash } from '../../support/messages-api/reply';
import {
  answersOf,
  type ConfinedHost,
  confinedStart,
  describeConfined,
  PATIENCE_MS,
  policy,
  report,
  runCommands,
  withConfined,
} from './support';

const SECRET = 'SECRET-7d1f4c';
const ALL_TOOLS = ['Bash', 'Read', 'Write', 'Edit', 'Grep', 'Glob'];
const EVERYTHING = {
  tools: ALL_TOOLS,
  allowedRules: ['Bash', 'Read', 'Write', 'Edit', 'Grep', 'Glob'],
};

/** Everything that the model was told by tools. */
function toldTo(host: ConfinedHost): string {
  return JSON.stringify(host.api.requests.map(({ body }) => body.messages));
}

async function countingServer(): Promise<{ server: Server; port: number; connections(): number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.end(`${SECRET}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, port, connections: () => connections };
}

describeConfined('within reach', (cli) => {
  it('[BND-1.2] no file of the host but programs and what its rules name', () =>
    withConfined(cli, async (host) => {
      const secret = async (...names: string[]) => {
        const file = path.join(...names);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, `${SECRET}\n`);
        return file;
      };
      const home = await mkdtemp('/home/tierwatch-test-').catch(() => null);
      const files = [
        await secret(host.runnerDir, 'runner.json'),
        await secret(host.runnerDir, 'secrets', 'DB_PASSWORD'),
        await secret(host.runnerDir, 'projects', randomUUID(), randomUUID(), 'work', 'plan.txt'),
        await secret(
          host.runnerDir,
          'projects',
          randomUUID(),
          randomUUID(),
          'config',
          '.claude.json',
        ),
        await secret(host.runnerDir, 'attempts', randomUUID(), 'files', 'mcp.json'),
        await secret(host.outside, 'data', 'secret-key'),
        ...(home === null ? [] : [await secret(home, '.ssh', 'id_ed25519')]),
      ];
      const reading = files.flatMap((file) => [
        `cat ${file}; ls -laR ${path.dirname(file)}; cp ${file} /tmp/`,
        `for root in /proc/[0-9]*/root /proc/[0-9]*/cwd /proc/self/fd/*; do cat $root${file}; done`,
        `ln -s ${file} /project/link-${files.indexOf(file)}; cat /project/link-${files.indexOf(file)}`,
      ]);
      const attempt = await runCommands(
        host,
        [
          ...reading,
          'cat /etc/shadow /etc/gshadow /root/.bashrc /etc/machine-id; ls /root /home /srv /opt /mnt /boot',
          `grep -rs ${SECRET} / --exclude-dir=proc --exclude-dir=usr --exclude-dir=config | head -50`,
          `node -e "require('fs').readdirSync('${host.runnerDir}')"`,
          'mount; cat /proc/self/mountinfo | wc -l',
        ],
        EVERYTHING,
      );
      expect(answersOf(attempt)).toHaveLength(reading.length + 4);
      // Each command names the file and not what is in it.
      const told = toldTo(host).replaceAll(`grep -rs ${SECRET}`, '');
      expect(told).not.toContain(SECRET);
      expect(told).not.toMatch(/root:[^x*!:]*:\d{4,}:/);
      if (home !== null) await rm(home, { recursive: true });
    }));

  it('[BND-1.2] no environment, process or key of the host', () =>
    withConfined(cli, async (host) => {
      const child = spawn('sleep', ['600'], {
        env: { ...process.env, HOST_SECRET: SECRET },
        stdio: 'ignore',
      });
      process.env.TIERWATCH_TEST_SECRET = SECRET;
      try {
        const attempt = await runCommands(
          host,
          [
            'env; cat /proc/1/environ /proc/*/environ | tr "\\0" "\\n"; cat /proc/*/cmdline | tr "\\0" " "',
            `kill -9 ${child.pid}; kill -9 ${process.pid}; ps aux; ls /proc`,
            'for fd in /proc/[0-9]*/fd/*; do readlink $fd; timeout 0.2 head -c 100 $fd; done 2>&1 | head -100',
            'timeout 1 head -c 100 /dev/fd/3; cat /proc/*/maps | head -3; cat /proc/kcore | head -c 10',
          ],
          EVERYTHING,
        );
        expect(answersOf(attempt)).toHaveLength(4);
        const told = toldTo(host);
        expect(told).not.toContain(SECRET);
        expect(told).not.toContain('key-of-the-runner');
        expect(told).not.toContain(host.plane.url);
        expect(child.exitCode ?? child.signalCode).toBeNull();
      } finally {
        delete process.env.TIERWATCH_TEST_SECRET;
        child.kill();
      }
    }));

  it('[BND-1.2] no network, no metadata address and no Unix socket of the host', () =>
    withConfined(cli, async (host) => {
      const tcp = await countingServer();
      const socketFile = path.join(host.outside, 'daemon.sock');
      let heard = 0;
      const unix = createServer((socket) => {
        heard += 1;
        socket.end(SECRET);
      });
      await new Promise<void>((resolve) => unix.listen(socketFile, resolve));
      // An abstract socket belongs to the network namespace.
      const abstract = createServer((socket) => {
        heard += 1;
        socket.end(SECRET);
      });
      await new Promise<void>((resolve) => abstract.listen(`\0tierwatch-${host.outside}`, resolve));
      const connect = (options: string) =>
        `node -e "const s = require('net').connect(${options}); s.on('data', (d) => console.log(String(d))); s.on('error', (e) => console.log(e.code)); setTimeout(() => process.exit(), 1000)"`;
      try {
        const attempt = await runCommands(
          host,
          [
            connect(`{ host: '127.0.0.1', port: ${tcp.port} }`),
            connect(`{ host: '169.254.169.254', port: 80 }`),
            connect(`{ host: '1.1.1.1', port: 53 }`),
            connect(`'${socketFile}'`),
            connect(`'\\0tierwatch-${host.outside}'`),
            `(exec 3<>/dev/tcp/127.0.0.1/${tcp.port}; cat <&3) 2>&1 | tail -1`,
            'ls /run /var/run /var/lib 2>&1; ls -la /dev',
            'cat /proc/net/tcp /proc/net/unix /proc/net/dev | grep -c eth',
            `curl -sS -m 2 http://127.0.0.1:8400/v1/models; curl -sS -m 2 -X POST http://127.0.0.1:8400/v1/files; curl -sS -m 2 http://127.0.0.1:8400//127.0.0.1:${tcp.port}/`,
          ],
          EVERYTHING,
        );
        expect(answersOf(attempt)).toHaveLength(9);
        expect({ tcp: tcp.connections(), heard }).toEqual({ tcp: 0, heard: 0 });
        expect(toldTo(host)).not.toContain(SECRET);
      } finally {
        tcp.server.close();
        unix.close();
        abstract.close();
      }
    }));

  it('[BND-1.2] nothing outside the work folder can be written, mounted or unmounted', () =>
    withConfined(cli, async (host) => {
      await host.addProgram('fakectl');
      const places = ['/etc', '/usr', '/usr/bin', '/', '/agent', '/agent/files', '/agent/commands'];
      const made = places.map((place) => `touch ${place}/made-by-agent && echo made ${place}`);
      const attempt = await runCommands(
        host,
        [
          ...made,
          `echo x > ${host.outside}/made-by-agent; mkdir -p ${host.outside}/made-by-agent`,
          'umount /agent/commands/fakectl; umount -l /agent/commands; mount -t tmpfs none /mnt && echo mounted',
          'unshare -r true && echo unshared; unshare -m true && echo unshared; chroot / true && echo chroot',
          'echo x > /proc/sys/kernel/core_pattern && echo written; echo c > /proc/sysrq-trigger && echo written',
          'mknod /tmp/disk b 8 0 && echo node; dd if=/dev/sda count=1 | wc -c; ls /dev/vda /dev/mem /dev/kvm',
          'bwrap --ro-bind / / true && echo nested',
          'mv /agent/commands/fakectl /tmp/x && echo moved; rm -f /agent/commands/fakectl; echo "#!/bin/sh" > /agent/commands/fakectl && echo replaced',
          'echo kept > /project/note.txt && cat /project/note.txt',
        ],
        { ...EVERYTHING, commands: policy(['Bash(fakectl restart web)']) },
      );
      const told = answersOf(attempt);
      expect(told.at(-1)).toBe('kept');
      const done = told
        .join('\n')
        .match(/^(?:made|mounted|unshared|chroot|written|node|nested|moved|replaced)\b.*$/gm);
      expect(done).toBeNull();
      expect((await readdir(host.outside)).toSorted()).toEqual(['bin']);
      expect(await readdir('/usr/bin')).not.toContain('made-by-agent');
    }));

  it('[BND-1.2] a tier without a rule to write changes nothing in the work folder', () =>
    withConfined(cli, async (host) => {
      const attempt = await runCommands(
        host,
        ['touch /project/made && echo made', 'touch /tmp/made && echo scratch'],
        {
          allowedRules: ['Read'],
        },
      );
      const [project, scratch] = answersOf(attempt);
      expect(project).toContain('Read-only file system');
      expect(scratch).toBe('scratch');
    }));

  it('[BND-3.1] the key is added outside, and only requests to the model are forwarded', () =>
    withConfined(cli, async (host) => {
      await runCommands(
        host,
        [
          'cat /agent/files/* /agent/config/.claude.json; env; cat /proc/*/environ; timeout 1 head -c 100 /dev/fd/3',
          'curl -sS -o /dev/null -w "%{http_code}" http://127.0.0.1:8400/v1/models',
          'curl -sS -o /dev/null -w "%{http_code}" -X POST http://127.0.0.1:8400/v1/messages/../files',
        ],
        EVERYTHING,
      );
      const keys = host.api.requests.map(({ headers }) => headers['x-api-key']);
      expect(new Set(keys)).toEqual(new Set(['key-of-the-runner']));
      expect(toldTo(host)).not.toContain('key-of-the-runner');
    }));

  it('[BND-1.4] the same work folder everywhere, and no conversation but its own and its parent’s', () =>
    withConfined(cli, async (host) => {
      const project = { organizationId: randomUUID(), projectId: randomUUID() };
      const file = (id: string) => `/agent/config/projects/-project/${id}.jsonl`;
      // The CLI writes its conversation a little later.
      const look = (own: string) =>
        `pwd; until [ -s ${file(own)} ]; do sleep 0.05; done; find /agent/config/projects -name "*.jsonl" | sort`;
      const run = async (changes: { cliSessionId: string } & Partial<StartSpec>) => {
        host.api.setScript([callBash(look(changes.cliSessionId)), report]);
        return host.run({ ...project, start: confinedStart(changes) }, PATIENCE_MS);
      };
      const ids = { other: randomUUID(), parent: randomUUID(), child: randomUUID() };
      await run({ cliSessionId: ids.other });
      const parent = await run({ cliSessionId: ids.parent });
      expect(answersOf(parent)).toEqual([['/project', file(ids.parent)].join('\n')]);
      const [{ transcript } = { transcript: null }] = parent.results;
      expect(transcript).not.toBeNull();
      const child = await run({
        tier: 2,
        cliSessionId: ids.child,
        continuation: { mode: 'resume', parentCliSessionId: ids.parent, transcript },
      });
      const both = [ids.parent, ids.child].map(file).toSorted();
      expect(answersOf(child).at(-1)).toBe(['/project', ...both].join('\n'));
      // The parent's conversation was continued, and is as it was.
      expect(child.results[0]?.transcriptSeen).toBe(true);
      expect(JSON.stringify(host.api.requests.at(-1)?.body.messages)).toContain(file(ids.parent));
      const again = await run({
        cliSessionId: randomUUID(),
        continuation: { mode: 'resume', parentCliSessionId: ids.parent, transcript },
      });
      expect(again.results[0]).toMatchObject({ startError: null, exit: { code: 0 } });
    }));
});
