import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installationRoot } from '@/lib/platform/installation-root';
import type { demoPaths } from '@/lib/projects/demo-service/schema';

/** Puts the executable `democtl` into the bin folder. */
export async function installCtl(paths: ReturnType<typeof demoPaths>): Promise<void> {
  await mkdir(paths.binDir, { recursive: true });
  const file = path.join(paths.binDir, 'democtl');
  const script = path.join(installationRoot(), 'workers/demo-service/ctl.mjs');
  const words = [process.execPath, script, paths.controlFile].map(quoted).join(' ');
  await writeFile(file, `#!/bin/sh\nexec ${words} "$@"\n`);
  await chmod(file, 0o755);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
