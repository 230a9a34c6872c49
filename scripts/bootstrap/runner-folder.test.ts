import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveRunnerFolder, runnerFolder } from './runner-folder.mjs';

let dir: string;
let dataDir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(path.join(tmpdir(), 'tw-place-')));
  dataDir = path.join(dir, 'checkout', '.data');
  mkdirSync(dataDir, { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true }));

const repository = (folder: string) => mkdirSync(path.join(folder, '.git'), { recursive: true });

describe('[HLD-1.2] the runner’s folder', () => {
  it('is in the data folder if no repository is above', () => {
    expect(runnerFolder(dataDir, { HOME: dir })).toBe(path.join(dataDir, 'runner'));
  });

  it.each(['checkout', 'checkout/.data'])('is outside of a repository in %s', (place) => {
    repository(path.join(dir, place));
    const home = path.join(dir, 'home');
    const folder = runnerFolder(dataDir, { HOME: home });
    expect(folder).toMatch(new RegExp(`^${home}/.local/state/tierwatch/[0-9a-f]{12}$`));
    expect(runnerFolder(path.join(dir, 'checkout', 'other'), { HOME: home })).not.toBe(folder);
    const named = runnerFolder(dataDir, { HOME: home, XDG_STATE_HOME: path.join(dir, 'state') });
    expect(named).toBe(folder.replace(path.join(home, '.local', 'state'), path.join(dir, 'state')));
  });

  it('is not in a repository of the home folder, either', () => {
    repository(dir);
    expect(runnerFolder(dataDir, { HOME: dir })).toMatch(/^\/var\/tmp\/tierwatch\//);
  });

  it('moves with what it holds, once, and is found by its former path', () => {
    const former = path.join(dataDir, 'runner');
    mkdirSync(former);
    writeFileSync(path.join(former, 'runner-key'), 'key');
    const folder = path.join(dir, 'state', 'runner');
    for (const _again of [1, 2]) moveRunnerFolder(dataDir, folder);
    expect(readFileSync(path.join(folder, 'runner-key'), 'utf8')).toBe('key');
    expect(realpathSync(former)).toBe(folder);
    // A data folder that was moved leads to its own place.
    moveRunnerFolder(dataDir, path.join(dir, 'elsewhere', 'runner'));
    expect(realpathSync(former)).toBe(path.join(dir, 'elsewhere', 'runner'));
  });

  it('stays where it is', () => {
    const former = path.join(dataDir, 'runner');
    moveRunnerFolder(dataDir, former);
    expect(() => realpathSync(former)).toThrow();
  });
});
