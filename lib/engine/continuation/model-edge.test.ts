import { describe, expect, it } from 'vitest';
import { isModel, type ModelEdge, modelEdge } from './model-edge';

it.each<[string, string, boolean]>([
  ['claude-haiku-4-5-20251001', 'haiku', true],
  ['claude-opus-4-8[1m]', 'opus', true],
  ['claude-opus-4-8[1m]', 'claude-opus-4-8[1m]', true],
  ['claude-opus-4-8', 'claude-opus-4-8', true],
  ['claude-opus-4-8', 'claude-opus-4', false],
  ['claude-haiku-4-5', 'sonnet', false],
  ['haiku', 'claude-haiku-4-5', false],
])('%s is named by %s: %s', (model, named, is) => {
  expect(isModel(model, named)).toBe(is);
});

describe('modelEdge', () => {
  it.each<[string, string, ModelEdge]>([
    ['claude-haiku-4-5', 'haiku', 'same'],
    ['haiku', 'claude-haiku-4-5', 'same'],
    ['claude-haiku-4-5', 'claude-sonnet-5', 'proven'],
    ['claude-sonnet-5', 'claude-haiku-4-5', 'unproven'],
    ['claude-haiku-4-5', 'opus', 'unproven'],
    ['claude-opus-4-8', 'claude-sonnet-5', 'unproven'],
  ])('from %s to %s is %s', (from, to, edge) => {
    expect(modelEdge(from, to, { provenEdges: [['haiku', 'sonnet']] })).toBe(edge);
  });
});
