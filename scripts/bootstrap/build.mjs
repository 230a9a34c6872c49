import { existsSync } from 'node:fs';
import path from 'node:path';
import { runNode } from './command.mjs';
import { withoutSecrets } from './environment.mjs';
import { checkout } from './folders.mjs';
import { withLock } from './lock.mjs';
import { ensurePrograms } from './programs.mjs';
import { hashFiles, hasStamp, writeStamp } from './stamps.mjs';
import { step } from './steps.mjs';

const OUTPUT = path.join(checkout, '.next');
const STAMP = path.join(OUTPUT, '.made-from');
/** What a build reads. The Dockerfile has to copy every one of them. */
export const BUILD_SOURCES = [
  'app',
  'lib',
  'prompts',
  'public',
  'prisma/schema',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'proxy.ts',
  'next.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
];

/** @param {string} hash of sources */
const isMadeFrom = (hash) => hasStamp(STAMP, hash) && existsSync(path.join(OUTPUT, 'BUILD_ID'));

/** Whether the build of this checkout was made from what a folder contains. @param {string} folder */
export const isBuiltFrom = (folder) => isMadeFrom(hashFiles(folder, BUILD_SOURCES));

/** Builds the web application when its sources have changed. */
export async function ensureBuilt() {
  await withLock(path.join(checkout, '.data', 'build.lock'), async () => {
    const hash = hashFiles(checkout, BUILD_SOURCES);
    if (isMadeFrom(hash)) return;
    // The build looks at the file that a page serves to new runners, and fails if it appears meanwhile.
    await ensurePrograms(['runner-file'], (_, work) => work());
    // Without database addresses or keys: the same build serves every installation.
    const env = {
      ...withoutSecrets(process.env),
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
    };
    await step('Building the pages', () =>
      runNode(['node_modules/next/dist/bin/next', 'build'], { env, what: 'next build' }),
    );
    writeStamp(STAMP, hash);
  });
}
