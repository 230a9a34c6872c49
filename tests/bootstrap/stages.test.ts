import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { durationText } from '@/scripts/test/duration.mjs';
import { playwrightFailures } from '@/scripts/test/failures.mjs';
import { playwrightFiles } from '@/scripts/test/slowest.mjs';
import { Stages } from '@/scripts/test/stages.mjs';
import { withFailedRun } from '@/scripts/test/tally.mjs';

it.each([
  [0, '0.0 s'],
  [4_321, '4.3 s'],
  [59_949, '59.9 s'],
  [59_950, '1 min 00 s'],
  [364_400, '6 min 04 s'],
  [1_500_000, '25 min 00 s'],
])('%d ms reads as %s', (ms, text) => expect(durationText(ms)).toBe(text));

it('[ENG-6.1] prints the duration of each stage, a table at the end, and the sum as the last line', async () => {
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  const stages = new Stages();
  await stages.run('Units', async () => ({ passed: 12, failed: 0, skipped: 0 }));
  await stages.run('Browser', async () => ({ passed: 3, failed: 1, skipped: 2 }));
  const isGood = stages.report();
  write.mockRestore();

  const lines = printed.join('').split('\n');
  expect(isGood).toBe(false);
  expect(lines).toContainEqual(
    expect.stringMatching(/^Units: 12 passed, 0 failed, 0 skipped in \d\.\d s$/),
  );
  expect(lines.slice(-7, -2)).toEqual([
    'Stage    Duration  Passed  Failed  Skipped',
    expect.stringMatching(/^Units +\d\.\d s +12 +0 +0$/),
    expect.stringMatching(/^Browser +\d\.\d s +3 +1 +2$/),
    expect.stringMatching(/^Total +\d\.\d s +15 +1 +2$/),
    '',
  ]);
  expect(lines.slice(-2)).toEqual(['15 passed, 1 failed, 2 skipped', '']);
});

it('[ENG-6.1] names the failed tests of all stages again, above the table', async () => {
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  const failures = [{ title: 'tests/a.test.ts › adds', reason: 'expected 2\nto be 3' }];
  const stages = new Stages();
  await stages.run('Units', async () => ({ passed: 0, failed: 1, skipped: 0, failures }));
  printed.length = 0;
  stages.report();
  write.mockRestore();
  expect(printed.join('').split('\n').slice(0, 5)).toEqual([
    '',
    '[Units] tests/a.test.ts › adds',
    '    expected 2',
    '    to be 3',
    '',
  ]);
});

it('[ENG-6.1] names a run that failed without a failed test', () => {
  const passed = { passed: 3, failed: 0, skipped: 0, failures: [] };
  expect(withFailedRun(passed, true)).toEqual(passed);
  const failed = withFailedRun(passed, false);
  expect(failed).toMatchObject({ failed: 1, failures: [{ title: 'Outside any test' }] });
  // What the runner itself says about it is kept.
  const failures = [{ title: 'Outside any test', reason: 'The server did not start.' }];
  expect(withFailedRun({ ...passed, failures }, false)).toMatchObject({ failed: 1, failures });
});

it('[ENG-6.1] reads the failed tests of nested suites, and failed set-ups, from Playwright’s report', () => {
  const spec = (title: string, status: string) => ({
    file: 'home.spec.ts',
    line: 7,
    title,
    tests: [{ projectName: 'story', status, results: [{ error: { message: `${title} broke` } }] }],
  });
  const report = {
    suites: [{ suites: [{ specs: [spec('opens', 'unexpected'), spec('closes', 'expected')] }] }],
    errors: [{ message: 'No server' }],
  };
  expect(playwrightFailures(report)).toEqual([
    { title: '[story] home.spec.ts:7 › opens', reason: 'opens broke' },
    { title: 'Outside any test', reason: 'No server' },
  ]);
  expect(playwrightFailures(null)).toEqual([]);
});

it('[ENG-6.1] lists the 20 slowest files of all stages, the slowest first', async () => {
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  const stages = new Stages();
  const files = Array.from({ length: 24 }, (_, index) => ({
    file: `tests/${index}.test.ts`,
    ms: index * 1_000,
  }));
  await stages.run('Units', async () => ({ ...passed, files: files.slice(0, 12) }));
  await stages.run('Product', async () => ({ ...passed, files: files.slice(12) }));
  await stages.run('Types', async () => passed);
  printed.length = 0;
  stages.report();
  write.mockRestore();
  const lines = printed.join('').split('\n');
  expect(lines.slice(1, 4)).toEqual([
    'Slowest files',
    '23.0 s  [Product] tests/23.test.ts',
    '22.0 s  [Product] tests/22.test.ts',
  ]);
  expect(lines.slice(20, 23)).toEqual([
    ' 5.0 s  [Units] tests/5.test.ts',
    ' 4.0 s  [Units] tests/4.test.ts',
    '',
  ]);
});

it('[ENG-6.1] adds up what the tests of a spec took, from Playwright’s report', () => {
  const spec = (...durations: number[]) => ({
    tests: durations.map((duration) => ({ results: [{ duration }] })),
  });
  const suites = [
    { file: 'home.spec.ts', specs: [spec(10)], suites: [{ specs: [spec(20, 30)] }] },
    { file: 'skipped.spec.ts', specs: [{ tests: [{ results: [] }] }] },
  ];
  expect(playwrightFiles({ suites })).toEqual([
    { file: 'home.spec.ts', ms: 60 },
    { file: 'skipped.spec.ts', ms: 0 },
  ]);
  expect(playwrightFiles(null)).toEqual([]);
});

const passed = { passed: 1, failed: 0, skipped: 0 };

it('[ENG-6.1] shows a stage that ran beside another in one piece, and lets both end', async () => {
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  const stages = new Stages();
  const order: string[] = [];
  const together = stages.together([
    [
      'Integration',
      async () => {
        throw new Error('It did not start.');
      },
    ],
    [
      'Product',
      async (output) => {
        if (output === 'inherit') throw new Error('It would write between the lines of others.');
        writeSync(output, 'first line\n');
        await sleep(50);
        writeSync(output, 'second line\n');
        order.push('Product');
        return passed;
      },
    ],
    [
      'Browser',
      async () => {
        order.push('Browser');
        return passed;
      },
    ],
  ]);
  await expect(together).rejects.toThrow('It did not start.');
  write.mockRestore();

  expect(order).toEqual(['Product', 'Browser']);
  const lines = printed.join('').split('\n');
  const at = lines.indexOf('== Product');
  expect(lines.slice(at, at + 4)).toEqual([
    '== Product',
    'first line',
    'second line',
    expect.stringMatching(/^Product: 1 passed, 0 failed, 0 skipped in /),
  ]);
});

it('[ENG-6.1] gives the next stage to whichever of the two is done first', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  const order: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const noted = (title: string, until?: Promise<void>): [string, () => Promise<typeof passed>] => [
    title,
    async () => {
      order.push(title);
      await until;
      return passed;
    },
  ];
  const last: [string, () => Promise<typeof passed>] = [
    'last',
    async () => {
      order.push('last');
      release();
      return passed;
    },
  ];
  await new Stages().together([noted('long', held), noted('short'), noted('next'), last]);
  write.mockRestore();
  expect(order).toEqual(['long', 'short', 'next', 'last']);
});
