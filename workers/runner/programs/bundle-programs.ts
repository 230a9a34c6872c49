import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { logger } from '@/lib/platform/logger';

/** Programs that run beside an agent, each in one file; null where one runs from its sources. */
export interface AgentPrograms {
  mcpServer: string | null;
  hook: string | null;
}

export const FROM_SOURCES: AgentPrograms = { mcpServer: null, hook: null };

/** Packages in the bundle are CommonJS in part and ask for modules of Node. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/**
 * Writes each program with all that it loads into one file below `dir`: every tier starts them,
 * and from its sources that takes about a second of a core, from one file a fifth of it. What
 * cannot be made costs only that time.
 *
 * @param root the repository's root folder
 */
export async function bundlePrograms(root: string, dir: string): Promise<AgentPrograms> {
  return {
    mcpServer: await bundle(root, 'workers/runner/mcp/server.ts', path.join(dir, 'mcp-server.mjs')),
    hook: await bundle(root, 'workers/runner/hooks/hook.ts', path.join(dir, 'hook.mjs')),
  };
}

async function bundle(root: string, source: string, file: string): Promise<string | null> {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const { build } = await import('esbuild');
    await build({
      entryPoints: [path.join(root, source)],
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
    logger.warn({ error: String(error), source }, 'a program runs from its sources');
    return null;
  }
}
