/** What a runner keeps on disk until the control plane has it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../../bootstrap/eventually';
import type { RunnerProcess } from '../../support/system/runner';

/** Events that were written, sent or not. */
export function spooledLines(runner: RunnerProcess): number {
  const spool = path.join(runner.dir, 'spool');
  return readdirSync(spool, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('events.ndjson'))
    .map((name) => readFileSync(path.join(spool, name), 'utf8').split('\n').length - 1)
    .reduce((sum, lines) => sum + lines, 0);
}

/** Resolves once the control plane has everything that this runner had to tell. */
export async function delivered(runner: RunnerProcess): Promise<void> {
  const spool = path.join(runner.dir, 'spool');
  await eventually(
    `${runner.name} has delivered everything`,
    () => readdirSync(spool).length === 0,
    90_000,
  );
}
