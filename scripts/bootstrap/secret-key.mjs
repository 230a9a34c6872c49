import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { StartProblem } from './problem.mjs';
import { writeWhole } from './write-whole.mjs';

const SHORTEST = 32;

/**
 * The installation's secret: TIERWATCH_SECRET_KEY, or with the embedded database the one kept in
 * `<data dir>/secret-key` (0600), made at the first start.
 * @param {string} dataDir
 * @param {Record<string, string | undefined>} env
 */
export function readOrMakeSecretKey(dataDir, env) {
  const given = env.TIERWATCH_SECRET_KEY;
  if (given) {
    if (given.length >= SHORTEST) return given;
    throw new StartProblem(
      `TIERWATCH_SECRET_KEY has ${given.length} characters and needs at least ${SHORTEST}. Create a key with: openssl rand -base64 48`,
    );
  }
  if (env.DATABASE_URL || env.TIERWATCH_APP_DATABASE_URL) {
    throw new StartProblem(
      'TIERWATCH_SECRET_KEY is not set. It is required with your own database, because every process and every restart needs the same key. Create one with: openssl rand -base64 48',
    );
  }
  const file = path.join(dataDir, 'secret-key');
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (kept.length >= SHORTEST) return kept;
  // Only a start that failed before there was anything to protect may have left half a key.
  if (existsSync(file) && existsSync(path.join(dataDir, 'postgres', 'data'))) {
    throw new StartProblem(
      `${file} is empty or damaged. What is encrypted in the database can only be read with this key. Put the file back from a backup, then start again.`,
    );
  }
  mkdirSync(dataDir, { recursive: true });
  const made = randomBytes(48).toString('base64url');
  writeWhole(file, `${made}\n`);
  return made;
}
