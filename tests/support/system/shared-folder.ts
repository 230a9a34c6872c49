/** What the files of a test run share on the disk. */

import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '@/scripts/bootstrap/write-whole.mjs';

/** Set by the global setup of product tests, which removes the folder. */
export const SHARED_FOLDER_VARIABLE = 'TIERWATCH_TEST_SHARED_FOLDER';

/** In its folder, a runner notes here which agents have passed a canary on this machine. */
const PROOFS = 'canaries.json';

function sharedProofs(): string | null {
  const folder = process.env[SHARED_FOLDER_VARIABLE];
  return folder === undefined ? null : path.join(folder, PROOFS);
}

/**
 * A new runner begins with what earlier ones have proven, as after a restart: the same program on the
 * same machine needs no second proof. tests/cli/canary.test.ts is about the proof itself.
 */
export function takeProofs(runnerDir: string): void {
  const shared = sharedProofs();
  if (shared && existsSync(shared)) copyFileSync(shared, path.join(runnerDir, PROOFS));
}

/** For runners of later files. What another one keeps in the same moment is proven again. */
export function keepProofs(runnerDir: string): void {
  const shared = sharedProofs();
  const own = path.join(runnerDir, PROOFS);
  if (!shared || !existsSync(own)) return;
  const all = [shared, own].filter((file) => existsSync(file)).flatMap(readProofs);
  writeWhole(shared, JSON.stringify([...new Set(all)]));
}

function readProofs(file: string): string[] {
  return JSON.parse(readFileSync(file, 'utf8'));
}
