import { describe, expect, it } from 'vitest';
import { checkpointSettingsSchema, DEFAULT_CHECKPOINTS } from './checkpoint-settings';
import { DEFAULT_CONFIG } from './new-project';
import { projectConfigSchema } from './schema';

describe('checkpointSettingsSchema', () => {
  it('[CKP-7.1] has the defaults of the requirements', () => {
    expect(checkpointSettingsSchema.parse(DEFAULT_CHECKPOINTS)).toEqual({
      enabled: true,
      promptInterval: 10,
      timeIntervalMs: 900_000,
      maxCheckpointsPerSession: 50,
      retentionDays: 7,
      recoveryBudgetChars: 2_000,
    });
  });

  it('[CKP-7.1] stands in for what a configuration of an older version lacks', () => {
    const { checkpoints: _, ...older } = DEFAULT_CONFIG;
    expect(projectConfigSchema.parse(older).checkpoints).toEqual(DEFAULT_CHECKPOINTS);
  });

  it.each([
    ['promptInterval', 1, 1_000, 'Enter 1 to 1,000 prompts and tool results.'],
    ['timeIntervalMs', 60_000, 3_600_000, 'Enter a time of 1m to 1h.'],
    ['maxCheckpointsPerSession', 1, 500, 'Enter 1 to 500 checkpoints.'],
    ['retentionDays', 1, 90, 'Enter 1 to 90 days.'],
    ['recoveryBudgetChars', 200, 10_000, 'Enter 200 to 10,000 characters.'],
  ] as const)('[CKP-7.1] %s is a whole number of %i to %i', (field, least, most, message) => {
    const problemOf = (value: number) =>
      checkpointSettingsSchema.safeParse({ ...DEFAULT_CHECKPOINTS, [field]: value }).error
        ?.issues[0];
    expect([least, most].map(problemOf)).toEqual([undefined, undefined]);
    for (const value of [least - 1, most + 1, least + 0.5, Number.NaN]) {
      expect(problemOf(value)).toMatchObject({ path: [field], message });
    }
  });
});
