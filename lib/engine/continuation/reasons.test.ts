import { expect, it } from 'vitest';
import { isFallbackEnd } from './reasons';

it.each([
  ['resume_rejected', true],
  ['context_exhausted', true],
  ['history_unreplayable', true],
  ['work_dir_changed', true],
  ['transcript_changed', true],
  ['seal_unavailable', true],
  ['agent_changed', false],
  ['completed', false],
  ['stalled', false],
  ['toString', false],
])('[RES-7.2] %s falls back: %s', (end, falls) => {
  expect(isFallbackEnd(end)).toBe(falls);
});
