import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runNode } from './command.mjs';
import { programFile } from './programs.mjs';

const fileOf = (dataDir) => path.join(dataDir, 'demo-account.json');

/** @returns {{ email: string, password: string } | null} */
export function readDemoAccount(dataDir) {
  if (!existsSync(fileOf(dataDir))) return null;
  return JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
}

/** Makes the demo organization, its account and its local runner; repeating it changes nothing. */
export async function seedDemo(env) {
  await runNode([programFile('seed')], {
    env,
    what: 'Seeding the demo organization',
  });
}
