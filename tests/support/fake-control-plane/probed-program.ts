import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A program that answers what a runner asks a CLI before it starts it, and nothing else. */
export async function probedProgram(dir: string, help: string): Promise<string> {
  const file = path.join(dir, 'probed');
  const body = `#!/bin/sh\ncase "$1" in\n--version) echo '2.1.197 (Claude Code)' ;;\n--help) cat <<'HELP'\n${help}\nHELP\n;;\nesac\n`;
  await writeFile(file, body);
  await chmod(file, 0o755);
  return file;
}
