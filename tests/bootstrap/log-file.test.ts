import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openLogFile } from '@/scripts/bootstrap/log-file.mjs';
import { eventually } from './eventually';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a log on a full disk is reported once, ends nothing, and is written again once there is room', async () => {
  const file = path.join(folder, 'worker.log');
  // Each write to this device fails as on a full disk.
  symlinkSync('/dev/full', file);
  const reports: string[] = [];
  const log = openLogFile(file, (text) => reports.push(text), { reopenMs: 0 });
  log.write('one\n');
  await eventually('the failure is reported', () => reports.length > 0);
  expect(reports).toEqual([
    expect.stringMatching(/^The log .*worker\.log can't be written: ENOSPC/),
  ]);

  rmSync(file);
  await eventually('it is written again', () => {
    // Many at once: the file is opened again for the first of them only.
    for (let line = 0; line < 100; line += 1) log.write('two\n');
    return reports.length > 1;
  });
  expect(reports.slice(1)).toEqual([`The log ${file} is written again.`]);
  log.write('three\n');
  await log.close();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const marks = lines.filter(
    (line) => line === 'Lines are missing here: the log could not be written.',
  );
  expect(lines[0]).toBe(marks[0]);
  expect(marks).toHaveLength(1);
  expect(lines.at(-1)).toBe('three');
});
