/** Paths as an agent names them, on the host. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { INSIDE } from '../sandbox/inside';

/**
 * In the sandbox the work folder has another path.
 *
 * @param workDir on the host
 * @returns without symbolic links; null if the path can't be resolved
 */
export function realPathOutside(workDir: string, file: string): string | null {
  const isInside = file === INSIDE.workDir || file.startsWith(`${INSIDE.workDir}/`);
  const outside = isInside ? workDir + file.slice(INSIDE.workDir.length) : file;
  try {
    return realpathSync(outside);
  } catch {
    return realPathOfNew(outside);
  }
}

/** The path of a file that doesn't exist yet, in a folder that does. */
function realPathOfNew(file: string): string | null {
  try {
    return path.join(realpathSync(path.dirname(file)), path.basename(file));
  } catch {
    return null;
  }
}
