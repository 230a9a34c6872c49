import { expect, it } from 'vitest';
import { DEFAULT_CHECKPOINTS } from '@/lib/projects/checkpoint-settings';
import { checkpointSentence } from './checkpoint-fields';

it.each([
  [
    {},
    'One after 10 prompts and tool results, or after 15m; at most 50 per session, kept for 7d. A retry, the next tier and a chain that starts within 4h get up to 2,000 characters of the latest.',
  ],
  [{ enabled: false }, 'No checkpoints are written or recovered. Existing ones are kept for 7d.'],
  [{ promptInterval: Number.NaN }, ''],
])('[CKP-7.1] %j reads as its effect', (changes, sentence) => {
  expect(checkpointSentence({ ...DEFAULT_CHECKPOINTS, ...changes })).toBe(sentence);
});
