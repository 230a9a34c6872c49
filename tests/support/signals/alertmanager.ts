/** Prometheus' own Alertmanager, where the machine has it (Debian: the package prometheus-alertmanager). */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';

const PROGRAM = 'prometheus-alertmanager';

export const hasAlertmanager = spawnSync(PROGRAM, ['--version']).status === 0;
if (!hasAlertmanager) {
  process.stderr.write(
    'prometheus-alertmanager is not installed (Debian: prometheus-alertmanager), so none delivers for real.\n',
  );
}

interface Alertmanager {
  /** Posts an alert as Prometheus does; `endsAt` ends it. It began 5 s ago unless `startsAt` says otherwise. */
  post(labels: Record<string, string>, endsAt?: Date, startsAt?: Date): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one that sends to a source, with the shortest intervals that it allows. */
export async function startAlertmanager(source: {
  url: string;
  token: string;
}): Promise<Alertmanager> {
  const folder = await mkdtemp(path.join(tmpdir(), 'alertmanager-'));
  const port = await freePort();
  const config = path.join(folder, 'config.yml');
  await writeFile(path.join(folder, 'token'), source.token);
  await writeFile(
    config,
    `receivers:
  - name: tierwatch
    webhook_configs:
      - url: ${source.url}
        send_resolved: true
        http_config:
          authorization: {type: Bearer, credentials_file: ${path.join(folder, 'token')}}
route:
  receiver: tierwatch
  group_by: [alertname, service]
  group_wait: 0s
  group_interval: 1s
  repeat_interval: 2s
`,
  );
  const child = spawn(
    PROGRAM,
    [
      ...[`--config.file=${config}`, `--storage.path=${folder}`],
      ...[`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='],
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(
    async () => {
      if (!(await fetch(`${url}/-/ready`)).ok) throw new Error('Alertmanager isn’t ready.');
    },
    { timeout: 60_000, interval: 50 },
  );
  return {
    async post(labels, endsAt, startsAt = new Date(Date.now() - 5_000)) {
      const alert = { labels, startsAt, endsAt };
      const response = await fetch(`${url}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([alert]),
      });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
