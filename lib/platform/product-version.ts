import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const packageSchema = z.object({ version: z.string() });

/** Returns the version of the installation that this process runs in. */
export function productVersion(): string {
  // Started in the folder that it is installed in, as the build's id is read, too.
  const file = path.join(process.cwd(), 'package.json');
  return packageSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
