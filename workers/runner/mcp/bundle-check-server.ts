import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { logger } from '@/lib/logger';

/** Packages in the bundle are CommonJS in part and ask for modules of Node. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/**
 * Writes the check server with all that it loads into one file below `dir`: every tier starts one,
 * and from its sources that takes about a second of a core, from one file a fifth of it.
 *
 * @param root the repository's root folder
 * @returns the file; null where it could not be made, which costs only that time
 */
export async function bundleCheckServer(root: string, dir: string): Promise<string | null> {
  const file = path.join(dir, 'check-server.mjs');
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const { build } = await import('esbuild');
    await build({
      entryPoints: [path.join(root, 'workers/runner/mcp/check-server.ts')],
      outfile: `${file}.new`,
      tsconfig: path.join(root, 'tsconfig.json'),
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      banner: { js: REQUIRE },
      logLevel: 'silent',
    });
    await rename(`${file}.new`, file);
    return file;
  } catch (error) {
    logger.warn({ error: String(error) }, 'the check server runs from its sources');
    return null;
  }
}
