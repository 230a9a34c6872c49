import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * What is remembered about the embedded cluster, in `<data dir>/postgres/connection.json` (0600).
 * @typedef {{ id: string, superuserPassword: string, ownerPassword: string, port: number | null }} ClusterSettings
 */

const settingsFile = (home) => path.join(home, 'connection.json');
const makePassword = () => randomBytes(24).toString('base64url');

/** @param {string} home `<data dir>/postgres` @returns {ClusterSettings} */
export function readOrMakeSettings(home) {
  if (existsSync(settingsFile(home))) return JSON.parse(readFileSync(settingsFile(home), 'utf8'));
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

/** @param {string} home @param {ClusterSettings} settings */
export function writeSettings(home, settings) {
  const staging = `${settingsFile(home)}.${process.pid}`;
  writeFileSync(staging, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  chmodSync(staging, 0o600);
  renameSync(staging, settingsFile(home));
}

export function superuserUrl(settings, database = 'postgres') {
  return `postgresql://postgres:${settings.superuserPassword}@127.0.0.1:${settings.port}/${database}`;
}

export function ownerUrl(settings, database = 'tierwatch') {
  return `postgresql://tierwatch_owner:${settings.ownerPassword}@127.0.0.1:${settings.port}/${database}`;
}
