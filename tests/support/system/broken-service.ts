/** A service that is down until somebody fixes it: a program on the agents' PATH makes it answer. */
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

export interface BrokenService {
  /** For an http check. */
  url: string;
  /** To be put on a runner's PATH: holds the programs. */
  binDir: string;
  /** A program that prints `ran <name> <arguments>`; with `repairs` the service answers from then on. */
  addProgram(name: string, options?: { repairs?: boolean }): void;
  /** How often the program was run. */
  runsOf(name: string): number;
  breakAgain(): void;
  /** Lets an account run the programs that isn't this process's own. */
  giveTo(account: { uid: number; gid: number }): void;
  close(): Promise<void>;
}

/** The service answers while its folder holds this file. */
export const REPAIRED_FILE = 'repaired';

/** `dir`: a folder of its own. */
export async function startBrokenService(dir: string): Promise<BrokenService> {
  const binDir = path.join(dir, 'bin');
  const repaired = path.join(dir, REPAIRED_FILE);
  mkdirSync(binDir, { recursive: true });
  const runsFile = (name: string) => path.join(dir, `${name}.runs`);
  const server = createServer((_, response) => {
    response.writeHead(existsSync(repaired) ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/health`,
    binDir,
    addProgram(name, { repairs = false } = {}) {
      const lines = ['#!/bin/sh', `echo "$*" >> '${runsFile(name)}'`, `echo "ran ${name} $*"`];
      if (repairs) lines.push(`touch '${repaired}'`);
      writeFileSync(path.join(binDir, name), `${lines.join('\n')}\n`, { mode: 0o755 });
    },
    runsOf(name) {
      if (!existsSync(runsFile(name))) return 0;
      return readFileSync(runsFile(name), 'utf8').trimEnd().split('\n').length;
    },
    breakAgain: () => rmSync(repaired, { force: true }),
    giveTo: ({ uid, gid }) => chownSync(dir, uid, gid),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
