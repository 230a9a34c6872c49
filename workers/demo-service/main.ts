/**
 * The demo's services under their supervisor: `main.ts --data-dir <folder>`. Prints one line when
 * ready. Ends on SIGTERM or SIGINT, and with the parent when started with an IPC channel.
 */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installationRoot } from '@/lib/platform/installation-root';
import { findDemoServices, findDemoStatus } from '@/lib/projects/demo-service/client';
import {
  type DemoServiceName,
  type DemoServices,
  demoPaths,
  demoServiceNames,
} from '@/lib/projects/demo-service/schema';
import { createControlServer } from './control-server';
import { choosePorts, formerPlaces } from './ports';
import { Supervisor } from './supervisor';

const { values } = parseArgs({ options: { 'data-dir': { type: 'string', default: '.data' } } });
const paths = demoPaths(values['data-dir']);

if (await findDemoStatus(values['data-dir'])) {
  process.stderr.write('The demo service is already running with this data folder.\n');
  process.exit(1);
}

const before = await findDemoServices(values['data-dir']);
const ports = await choosePorts({
  web: before?.web.port,
  api: before?.api.port,
  db: before?.db.port,
});

await mkdir(paths.dir, { recursive: true, mode: 0o700 });
const supervisor = new Supervisor(paths, ports);
await supervisor.start();

const token = randomBytes(24).toString('base64url');
const control = createControlServer(supervisor, token).listen(0, '127.0.0.1');
await once(control, 'listening');
const { port } = control.address() as AddressInfo;
await writeFile(paths.controlFile, JSON.stringify({ port, token }), { mode: 0o600 });
await writeFile(paths.servicesFile, JSON.stringify(describeServices(), null, 2));
await installCtl(paths);

const addresses = demoServiceNames.map((name) => `${name} 127.0.0.1:${ports[name]}`);
process.stdout.write(`demo service ready: ${addresses.join(', ')}\n`);

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.once('disconnect', stop);

async function stop(): Promise<void> {
  control.close();
  control.closeAllConnections();
  await supervisor.stop();
  await rm(paths.controlFile, { force: true });
  process.exit(0);
}

function describeServices(): DemoServices {
  const entry = (name: DemoServiceName) => {
    const place = { port: ports[name], pidFile: paths.pidFile(name) };
    return { ...place, former: formerPlaces(before?.[name], place) };
  };
  return { web: entry('web'), api: entry('api'), db: entry('db') };
}

/** Puts the executable `democtl` into the bin folder. */
async function installCtl(paths: ReturnType<typeof demoPaths>): Promise<void> {
  await mkdir(paths.binDir, { recursive: true });
  const file = path.join(paths.binDir, 'democtl');
  const script = path.join(installationRoot(), 'workers/demo-service/ctl.mjs');
  const words = [process.execPath, script, paths.controlFile].map(quoted).join(' ');
  await writeFile(file, `#!/bin/sh\nexec ${words} "$@"\n`);
  await chmod(file, 0o755);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
