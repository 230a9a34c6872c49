import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { StartProblem } from '../problem.mjs';
import { writeWhole } from '../write-whole.mjs';

/**
 * What is remembered about the embedded cluster, in `<data dir>/postgres/connection.json` (0600).
 * @typedef {{ id: string, superuserPassword: string, ownerPassword: string, port: number | null }} ClusterSettings
 */

const settingsFile = (home) => path.join(home, 'connection.json');
const makePassword = () => randomBytes(24).toString('base64url');

/** @param {string} home `<data dir>/postgres` @returns {ClusterSettings} */
export function readOrMakeSettings(home) {
  if (existsSync(settingsFile(home))) return readSettings(settingsFile(home));
  const made = {
    id: randomBytes(8).toString('hex'),
    superuserPassword: makePassword(),
    ownerPassword: makePassword(),
    port: null,
  };
  mkdirSync(home, { recursive: true });
  writeSettings(home, made);
  return made;
}

function readSettings(file) {
  try {
    const { id, superuserPassword, ownerPassword, port } = JSON.parse(readFileSync(file, 'utf8'));
    if (id && superuserPassword && ownerPassword) {
      return { id, superuserPassword, ownerPassword, port: port ?? null };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new StartProblem(
    `${file} is damaged. It holds the passwords of the database in this data folder. Put the file back from a backup, then start again. The database itself is left as it is.`,
  );
}

/** @param {string} home @param {ClusterSettings} settings */
export function writeSettings(home, settings) {
  writeWhole(settingsFile(home), `${JSON.stringify(settings, null, 2)}\n`);
}

export function superuserUrl(settings, database = 'postgres') {
  return `postgresql://postgres:${settings.superuserPassword}@127.0.0.1:${settings.port}/${database}`;
}

export function ownerUrl(settings, database = 'tierwatch') {
  return `postgresql://tierwatch_owner:${settings.ownerPassword}@127.0.0.1:${settings.port}/${database}`;
}
