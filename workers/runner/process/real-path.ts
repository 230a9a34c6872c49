import { realpathSync } from 'node:fs';

/** Without symbolic links; the path as it is where the host cannot resolve it. */
export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
