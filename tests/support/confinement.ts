/** Whether this machine can confine an agent. Where it can't, tests that need it are skipped. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findSandbox } from '@/workers/runner/sandbox/confinement';

const dir = mkdtempSync(path.join(tmpdir(), 'tw-probe-'));
const found = await findSandbox(dir, process.env.PATH ?? '');
rmSync(dir, { recursive: true });

export const canConfine = 'file' in found;
