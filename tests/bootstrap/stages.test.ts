import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { durationText, Stages } from '@/scripts/test/stages.mjs';

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

it('[ENG-6.1] shows a stage that ran beside others in one piece, and lets all of them end', async () => {
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  const stages = new Stages();
  const passed = { passed: 1, failed: 0, skipped: 0 };
  const order: string[] = [];
  const together = stages.together(
    [
      ['Units', async () => passed],
      [
        'Integration',
        async () => {
          throw new Error('It did not start.');
        },
      ],
    ],
    [
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
    ],
  );
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
