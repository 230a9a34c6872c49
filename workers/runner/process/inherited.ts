import { readdirSync, readFileSync } from 'node:fs';

/** Set for descriptors that a started program doesn't get. */
const CLOSE_ON_EXEC = 0o2000000;
const LAST = 1_023;

/**
 * Returns the highest descriptor that this process passes on to programs it starts without meaning
 * to: those that it was itself started with, such as pipes and locks of whoever started it.
 *
 * @returns 2 if there is none above the standard ones
 */
export function lastInheritedDescriptor(): number {
  const open = namesIn('/proc/self/fd').map(Number);
  const passedOn = open.filter((descriptor) => descriptor <= LAST && isPassedOn(descriptor));
  return Math.max(2, ...passedOn);
}

function isPassedOn(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8');
    const flags = /^flags:\s*(\d+)$/m.exec(info)?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // It was the one that read the folder.
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
