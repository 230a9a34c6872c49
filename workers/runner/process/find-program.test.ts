import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram, isFileItself, statOf } from './find-program';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-programs-'));
  for (const name of ['first', 'second']) mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, 'second/tool'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a program is found', () => {
  it('in the first folder that has it', () => {
    expect(findProgram('tool', `${folder}/first:${folder}/second`)).toBe(`${folder}/second/tool`);
    writeFileSync(path.join(folder, 'first/tool'), '');
    expect(findProgram('tool', `${folder}/first:${folder}/second`)).toBe(`${folder}/first/tool`);
  });

  it.each([
    ['is no folder', (at: string) => writeFileSync(at, '')],
    ['leads in a circle', (at: string) => symlinkSync(at, at)],
    ['is missing', () => {}],
  ])('behind an entry of the PATH that %s', (_what, make) => {
    const odd = path.join(folder, 'odd');
    make(odd);
    expect(findProgram('tool', `${odd}:${folder}/second`)).toBe(`${folder}/second/tool`);
    expect(statOf(path.join(odd, 'tool'))).toBeNull();
    expect(isFileItself(path.join(odd, 'tool'))).toBe(false);
  });
});

it('nothing is found by a relative entry, and the name is returned', () => {
  expect(findProgram('tool', 'second:.')).toBe('tool');
});
