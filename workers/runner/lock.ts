/** One runner per folder: a second one would end the first one's attempts as left behind. */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readProcess } from './process/process-table';

/**
 * @returns a function that releases the lock @throws Error that names the runner that holds the
 * folder
 */
export function lockRunnerDir(dir: string): () => void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = path.join(dir, 'runner.lock');
  const own = `${process.pid} ${readProcess(process.pid)?.startedAt ?? ''}`;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      linkWhole(file, own);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      if (isHeld(file)) break;
      // Its process is gone; it was killed.
      rmSync(file, { force: true });
    }
  }
  throw new Error(
    `Another runner is using ${dir}. Two runners in one folder would stop each other’s attempts. Stop it, or set TIERWATCH_RUNNER_DIR to another folder.`,
  );
}

// A link appears complete or not at all: a full disk leaves no lock that names nobody.
function linkWhole(file: string, content: string): void {
  const mine = `${file}.${process.pid}`;
  try {
    writeFileSync(mine, content, { mode: 0o600 });
    linkSync(mine, file);
  } finally {
    rmSync(mine, { force: true });
  }
}

function isHeld(file: string): boolean {
  const [pid = '', startedAt = ''] = readFileSync(file, 'utf8').split(' ');
  // Signal 0 to the process 0 would ask about this one.
  if (!(Number(pid) > 0)) return false;
  if (startedAt !== '') {
    const holder = readProcess(Number(pid));
    // One that was killed holds nothing, also while it waits for its parent to take note.
    return holder !== null && !holder.isZombie && holder.startedAt === startedAt;
  }
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}
