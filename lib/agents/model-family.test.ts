import { expect, it } from 'vitest';
import { modelFamily } from './model-family';

it.each([
  ['claude-haiku-5-20261001', 'claude-haiku-5'],
  ['claude-haiku-4-5-20251001', 'claude-haiku'],
  ['claude-sonnet-5-5', 'claude-sonnet-5-5'],
  ['demo-opus-5', 'demo-opus-5'],
  ['gpt-9', 'other'],
  ['', 'other'],
  ['x'.repeat(10_000), 'other'],
])('[INC-4.2] %s is counted as %s', (model, family) => {
  expect(modelFamily(model)).toBe(family);
});
