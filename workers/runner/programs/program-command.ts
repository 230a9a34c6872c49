import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** How a program of ours is started beside an agent. */
interface ProgramCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/**
 * From the program's bundle, or from its sources where there is none; from any working directory:
 * loader and tsconfig are named by absolute path.
 *
 * @param root the repository's root folder
 * @param source below it
 */
export function programCommand(
  root: string,
  source: string,
  bundleFile: string | null,
): ProgramCommand {
  if (bundleFile !== null) return { command: process.execPath, args: [bundleFile], env: {} };
  const require = createRequire(path.join(root, 'package.json'));
  return {
    command: process.execPath,
    args: ['--import', pathToFileURL(require.resolve('tsx')).href, path.join(root, source)],
    env: { TSX_TSCONFIG_PATH: path.join(root, 'tsconfig.json') },
  };
}
