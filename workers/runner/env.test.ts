import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { parseRunnerEnv } from './env';
import { defaultMemoryMb } from './process/limits';

const GIVEN = { TIERWATCH_URL: 'http://127.0.0.1:3000' };

describe('[BND-1.2] the limits of each agent', () => {
  it.each([
    [
      'nothing',
      { TIERWATCH_RUNNER_MAX_MEMORY_MB: '' },
      { processes: 1_024, memoryMb: defaultMemoryMb(os.totalmem()) },
    ],
    [
      'numbers',
      { TIERWATCH_RUNNER_MAX_PROCESSES: '300', TIERWATCH_RUNNER_MAX_MEMORY_MB: '2000' },
      { processes: 300, memoryMb: 2_000 },
    ],
    [
      'off',
      { TIERWATCH_RUNNER_MAX_PROCESSES: 'off', TIERWATCH_RUNNER_MAX_MEMORY_MB: 'off' },
      { processes: null, memoryMb: null },
    ],
  ])('are set by %s', (_what, changes, limits) => {
    expect(parseRunnerEnv({ ...GIVEN, ...changes }).limits).toEqual(limits);
  });

  it.each([
    ['TIERWATCH_RUNNER_MAX_PROCESSES', '0'],
    ['TIERWATCH_RUNNER_MAX_PROCESSES', 'many'],
    ['TIERWATCH_RUNNER_MAX_PROCESSES', '100.5'],
    ['TIERWATCH_RUNNER_MAX_MEMORY_MB', '16'],
  ])('can’t be %s=%s', (name, value) => {
    expect(() => parseRunnerEnv({ ...GIVEN, [name]: value })).toThrow(
      new RegExp(`${name}: must be a whole number from \\d+ to \\d+, or off`),
    );
  });

  it.each([
    [512, 1_024],
    [1_024, 1_024],
    [8_192, 6_144],
  ])('leave a host with %i MB its own share of memory', (hostMb, memoryMb) => {
    expect(defaultMemoryMb(hostMb * 1024 * 1024)).toBe(memoryMb);
  });
});
