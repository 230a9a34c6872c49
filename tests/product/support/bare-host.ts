/** A host that has Node and a shell, and nothing of the product. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What a program of the host is linked to. */
const PROGRAMS = { node: process.execPath, sh: '/bin/sh', env: '/usr/bin/env' };
/** An account without rights, as most systems have it. */
const NOBODY = 65_534;

export interface CommandEnd {
  code: number | null;
  output: string;
}

export interface RunningLine {
  output(): string;
  ended: Promise<CommandEnd>;
}

export interface BareHost {
  /** Empty at first; where commands run. */
  folder: string;
  /** The only folder on the PATH. */
  binDir: string;
  /** Runs a line as a shell does that it is pasted into. */
  run(line: string, env?: Record<string, string>): RunningLine;
  /** Ids of its processes, the shell among them. */
  pids(): number[];
  /** SIGKILL to all of them. */
  kill(): void;
  /** SIGTERM, as a terminal that is closed sends it; resolves once all have ended. */
  close(): Promise<void>;
}

/** `isOwn`: its commands run as an account of its own, as an installed service needs it. */
export function bareHost(name: string, { isOwn = false } = {}): BareHost {
  const root = mkdtempSync(path.join(os.tmpdir(), `tw-${name}-`));
  chmodSync(root, 0o755);
  const [folder, binDir] = [path.join(root, 'host'), path.join(root, 'bin')];
  for (const made of [folder, binDir]) mkdirSync(made);
  for (const [program, file] of Object.entries(PROGRAMS)) {
    symlinkSync(file, path.join(binDir, program));
  }
  const account = isOwn && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (account.uid) chownSync(folder, NOBODY, NOBODY);
  const shells: { child: ChildProcess; ended: Promise<CommandEnd> }[] = [];

  const pids = () => processesBelow(folder);
  return {
    folder,
    binDir,
    pids,
    run(line, env = {}) {
      // Through stdin: in an argument, the shell itself would show the token in the process list.
      const child = spawn('/bin/sh', ['-s'], {
        cwd: folder,
        env: { NODE_ENV: 'production', PATH: binDir, HOME: folder, ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
        ...account,
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      }
      child.stdin?.end(`${line}\n`);
      const ended = new Promise<CommandEnd>((resolve) => {
        child.once('close', (code) => resolve({ code, output }));
      });
      shells.push({ child, ended });
      return { output: () => output, ended };
    },
    kill() {
      for (const pid of pids()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // Ended meanwhile.
        }
      }
    },
    async close() {
      for (const pid of pids()) {
        try {
          process.kill(pid, 'SIGTERM');
        } catch {
          // Ended meanwhile.
        }
      }
      await Promise.all(shells.map(({ ended }) => ended));
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Ids of processes that work in this folder or below it; the one that runs for the longest time first. */
function processesBelow(folder: string): number[] {
  const found = readdirSync('/proc').flatMap((name) => {
    try {
      const at = /^\d+$/.test(name) ? readlinkSync(`/proc/${name}/cwd`) : '';
      if (at !== folder && !at.startsWith(`${folder}/`)) return [];
      return [{ pid: Number(name), startedAt: startOf(name) }];
    } catch {
      return [];
    }
  });
  return found.toSorted((one, other) => one.startedAt - other.startedAt).map(({ pid }) => pid);
}

/** In clock ticks since the boot. The order of ids says nothing: they begin again after the highest. */
function startOf(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program's name is in parentheses, and may contain anything.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
}
