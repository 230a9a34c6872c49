import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runNode } from './command.mjs';
import { programFile } from './programs.mjs';

const fileOf = (dataDir) => path.join(dataDir, 'demo-account.json');

/** @returns {{ email: string, password: string } | null} */
export function readDemoAccount(dataDir) {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Makes the demo organization, its account and its local runner; repeating it changes nothing.
 *
 * @param {Record<string, string | undefined>} env of the worker
 * @param {string} runnerDir the local runner's folder, which gets its key
 */
export async function seedDemo(env, runnerDir) {
  await runNode([programFile('seed'), runnerDir], {
    env,
    what: 'Seeding the demo organization',
  });
}
