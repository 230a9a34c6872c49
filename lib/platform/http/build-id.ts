import { readFileSync } from 'node:fs';
import path from 'node:path';
import { env } from '../env';

/** On every answer: which build of the pages gave it. */
export const BUILD_ID_HEADER = 'x-tierwatch-build';

let known: string | undefined;

/** The id of the build that this server serves; empty in development, where nothing is built. */
export function buildId(): string {
  known ??= readBuildId();
  return known;
}

function readBuildId(): string {
  if (env().nodeEnv !== 'production') return '';
  return readFileSync(path.join(process.cwd(), '.next', 'BUILD_ID'), 'utf8').trim();
}
