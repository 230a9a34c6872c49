/**
 * What stands in for a container engine on a test's machine: it starts services of docker-compose.yml as
 * processes, with the environment, secrets and writable folders that the file gives them, as an
 * account that isn't root. Only names of hosts and mount points are replaced.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { guardProcess } from '@/scripts/bootstrap/guard.mjs';
import { serverAccount } from '@/scripts/bootstrap/postgres/account.mjs';
import type { Images } from './build-images.mts';
import type { ComposeFile, ComposeService } from './compose-file';

export interface HostOptions {
  compose: ComposeFile;
  images: Images;
  /** Empty, of this host's own; others may enter it. */
  folder: string;
  /** Contents by name; only these files exist. */
  secrets: Record<string, string>;
  /** What the containers call something, and what it is here: `redis:6379`, `127.0.0.1:4512`. */
  names: [string, string][];
  /** First on the PATH of each container. */
  programs: string;
}

export interface Container {
  name: string;
  /** Of the first process; throws while it doesn't run. */
  pid(): number;
  isRunning(): boolean;
  output(): string;
  /** Resolves with the exit code; null: ended by a signal. */
  ended: Promise<number | null>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface Host {
  /** `command`: instead of the service's own; `more`: variables of this start alone. */
  start(
    service: string,
    options?: { command?: string[]; more?: Record<string, string> },
  ): Container;
  /** Runs one to its end and returns its output. */
  run(service: string, options?: { command?: string[] }): Promise<string>;
  /** Where a service finds a mount point: `/data`. */
  mounted(service: string, mount: string): string;
  /** Stops all that run, the last started first. */
  close(): Promise<void>;
  account: { uid: number; gid: number } | null;
}

export function makeHost(options: HostOptions): Host {
  const { compose, images, folder, secrets, programs } = options;
  const account = serverAccount();
  const started: Container[] = [];

  const serviceOf = (name: string): ComposeService => {
    const service = compose.services[name];
    if (!service) throw new Error(`docker-compose.yml has no service ${name}.`);
    return service;
  };

  /** Folders that a container may write to, by their place in it, and its secrets. */
  function mountsOf(name: string): [string, string][] {
    const service = serviceOf(name);
    const image = images[service.build?.target ?? ''];
    const places = [
      ...service.tmpfs.map((mount) => mount.split(':')[0] ?? ''),
      ...service.volumes.map((volume) => volume.split(':')[1] ?? ''),
    ];
    const mounts = places.map((place): [string, string] => {
      const inImage = image && place.startsWith('/app/');
      const here = inImage
        ? path.join(image.app, place.slice('/app/'.length))
        : path.join(folder, name, place);
      mkdirSync(here, { recursive: true });
      if (account) chownSync(here, account.uid, account.gid);
      return [place, here];
    });
    return [...mounts, ['/run/secrets', writeSecrets(name, service)]];
  }

  function writeSecrets(name: string, service: ComposeService): string {
    const here = path.join(folder, name, 'run-secrets');
    mkdirSync(here, { recursive: true });
    for (const secret of service.secrets) {
      const content = secrets[secret];
      if (content !== undefined) writeFileSync(path.join(here, secret), content, { mode: 0o444 });
    }
    return here;
  }

  const start: Host['start'] = (name, { command, more = {} } = {}) => {
    const service = serviceOf(name);
    const image = images[service.build?.target ?? ''];
    const mounts = mountsOf(name);
    const replaced = (text: string) =>
      [...mounts, ...options.names].reduce(
        (result, [there, here]) => result.replaceAll(there, here),
        text,
      );
    const [file = '', ...args] = command ?? [...service.entrypoint, ...service.command];
    const env = Object.fromEntries(
      Object.entries({ ...image?.env, ...service.environment }).map(([variable, value]) => [
        variable,
        replaced(value),
      ]),
    );
    const { PATH = '' } = process.env;
    const tmp = mounts.find(([place]) => place === '/tmp')?.[1];
    const child = spawnLogged(path.join(folder, `${name}.log`), {
      file: file === 'node' ? process.execPath : file,
      args: args.map(replaced),
      cwd: image?.app ?? folder,
      env: { PATH: `${programs}:${PATH}`, HOME: '/nonexistent', TMPDIR: tmp, ...env, ...more },
      account,
    });
    const container = containerOf(name, child, path.join(folder, `${name}.log`));
    started.push(container);
    return container;
  };

  return {
    account,
    start,
    async run(name, runOptions) {
      const container = start(name, runOptions);
      const before = container.output().length;
      const code = await container.ended;
      if (code === 0) return container.output();
      throw new Error(`${name} ended with ${code}:\n${container.output().slice(before - 4_000)}`);
    },
    mounted(name, mount) {
      return mountsOf(name).find(([place]) => place === mount)?.[1] ?? '';
    },
    async close() {
      for (const container of started.reverse()) await container.stop();
    },
  };
}

interface Spawned {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  account: { uid: number; gid: number } | null;
}

function spawnLogged(logFile: string, { file, args, cwd, env, account }: Spawned): ChildProcess {
  const log = openSync(logFile, 'a');
  const child = spawn(file, args, {
    ...account,
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  return child;
}

const STOP_WITHIN_MS = 30_000;

function containerOf(name: string, child: ChildProcess, logFile: string): Container {
  // A test run that is killed takes them along.
  const guard = child.pid ? guardProcess(child.pid, { hasGroup: true }) : null;
  const ended = once(child, 'exit').then(([code]) => {
    guard?.dismiss();
    return code as number | null;
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    name,
    ended,
    isRunning,
    pid() {
      if (!isRunning() || child.pid === undefined) throw new Error(`${name} doesn't run.`);
      return child.pid;
    },
    output: () => readFileSync(logFile, 'utf8'),
    async stop(signal = 'SIGTERM') {
      if (!isRunning()) return;
      child.kill(signal);
      const giveUp = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      await ended;
      clearTimeout(giveUp);
    },
  };
}

/** Puts a program where other accounts can run it. */
export function placeProgram(file: string, folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  const target = path.join(folder, name);
  try {
    linkSync(file, target);
  } catch {
    copyFileSync(file, target);
  }
  return target;
}

/** A program in front of another of the same name: it notes its arguments, and adds some. */
export function placeShim(
  folder: string,
  { name, file, more, notes }: { name: string; file: string; more: string[]; notes: string },
): void {
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh\necho "${name} $*" >> '${notes}'\nexec '${file}' "$@" ${more.join(' ')}\n`;
  writeFileSync(path.join(folder, name), script, { mode: 0o755 });
}
