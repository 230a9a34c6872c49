/**
 * `npm run --silent sbom > tierwatch.cdx.json`: prints the software bill of materials, in CycloneDX. It
 * lists every package of package-lock.json with its hash, and marks those for development, which an image
 * doesn't contain. npm's own `--omit=dev` leaves out packages that both sides need.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkout } from './bootstrap/folders.mjs';
import { runMain, StartProblem } from './bootstrap/problem.mjs';

const MAX_BYTES = 64 * 1024 * 1024;
const ARGS = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];

async function listPackages() {
  try {
    const options = { cwd: checkout, maxBuffer: MAX_BYTES };
    const { stdout } = await promisify(execFile)('npm', [...ARGS, '--loglevel=error'], options);
    return JSON.parse(stdout);
  } catch (error) {
    throw new StartProblem(
      `npm could not list the packages: ${error.stderr?.trim() || error.message} npm 10 or newer is needed.`,
    );
  }
}

await runMain(async () => {
  const list = await listPackages();
  const { name } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8'));
  // npm names it by the folder that it lies in.
  Object.assign(list.metadata.component, { name, type: 'application' });
  process.stdout.write(`${JSON.stringify(list, null, 2)}\n`);
});
