import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartProblem } from '../problem.mjs';

const ACCOUNTS = ['postgres', 'nobody'];

/**
 * PostgreSQL refuses to run as root. Null: run as whoever we are.
 * @returns {{ uid: number, gid: number } | null}
 */
export function serverAccount() {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const account of ACCOUNTS) {
    const fields = lines.find((line) => line.startsWith(`${account}:`))?.split(':');
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new StartProblem(
    'PostgreSQL cannot run as root, and this machine has neither a "postgres" nor a "nobody" account to run it as. Start Tierwatch as an ordinary user, or set DATABASE_URL to a database of your own.',
  );
}

/** Whether any account may walk down to this folder; its missing part is not looked at. */
export function isReachableByOthers(folder) {
  let existing = path.resolve(folder);
  while (!existsSync(existing)) existing = path.dirname(existing);
  for (let at = realpathSync(existing); ; at = path.dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}
