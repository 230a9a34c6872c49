/** Prints what this process finds out about confinement, as JSON: `argv[2]` is a folder of its own. */
import { findSandbox } from '@/workers/runner/sandbox/confinement';

const found = await findSandbox(process.argv[2] ?? '', process.env.PATH ?? '');
process.stdout.write(JSON.stringify('file' in found ? found.confinement : found));
