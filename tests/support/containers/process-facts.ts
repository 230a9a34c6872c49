/** What anyone on the host sees of running processes (Linux). */
import { readdirSync, readFileSync } from 'node:fs';

function processIds(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** A process and everything that it started, directly or not. */
export function familyOf(pid: number): number[] {
  const parents = new Map(
    processIds().map((each) => [
      each,
      Number(readProc(each, 'stat').split(') ')[1]?.split(' ')[1]),
    ]),
  );
  const family = [pid];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  }
  return family;
}

/** The effective user of a process. */
export function userOf(pid: number): number {
  return Number(/^Uid:\s+\d+\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1]);
}

/** The environment of each process of a family, as text. */
export function environmentsOf(pid: number): string {
  return familyOf(pid)
    .map((member) => readProc(member, 'environ'))
    .join('\0');
}

/**
 * Watches every command line on this machine for secrets until it is stopped.
 *
 * @returns what stops it: answers the command lines that held one
 */
export function watchCommandLines(secrets: readonly string[]): () => string[] {
  const found = new Set<string>();
  const look = () => {
    for (const pid of processIds()) {
      const line = readProc(pid, 'cmdline').replaceAll('\0', ' ');
      if (secrets.some((secret) => line.includes(secret))) found.add(line);
    }
  };
  const timer = setInterval(look, 100);
  return () => {
    clearInterval(timer);
    look();
    return [...found];
  };
}
