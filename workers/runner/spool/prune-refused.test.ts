import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pruneRefused } from './delivery';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-refused-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

it('what was set aside is kept for 30 days and then removed', () => {
  mkdirSync(path.join(dir, 'attempt', 'inside'), { recursive: true });
  pruneRefused(dir, inDays(29));
  expect(readdirSync(dir)).toEqual(['attempt']);
  pruneRefused(dir, inDays(31));
  expect(readdirSync(dir)).toEqual([]);
});

it('nothing was ever set aside', () => {
  expect(() => pruneRefused(path.join(dir, 'missing'))).not.toThrow();
});
