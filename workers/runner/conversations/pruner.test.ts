import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENTS } from '@/lib/agents/registry';
import { ControlPlaneError } from '../control-plane/failure';
import { createConversationPruner } from './pruner';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'tw-kept-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const configDir = () => path.join(dir, 'projects', 'org', 'prj', 'config');

/** A file of the CLI; its name without the ending is the conversation's id. */
function keep(name: string, folder = path.join(configDir(), 'projects', '-work')): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.jsonl`);
  writeFileSync(file, '{}\n');
  return file;
}

function prunerOf(options: { superseded: (ids: readonly string[]) => string[]; inUse?: string[] }) {
  const asked: string[][] = [];
  const pruner = createConversationPruner({
    projectsDir: path.join(dir, 'projects'),
    conversations: Object.values(AGENTS).map((agent) => agent.conversations),
    controlPlane: {
      async superseded(ids) {
        asked.push([...ids]);
        return options.superseded(ids);
      },
    },
    inUse: () => new Set(options.inUse ?? []),
  });
  /** Until everything was looked at once. */
  async function sweep(): Promise<void> {
    const enough = new AbortController();
    const sweeping = pruner.keepSweeping(enough.signal);
    enough.abort();
    await sweeping;
  }
  return { pruner, sweep, asked };
}

const all = (ids: readonly string[]) => [...ids];

describe('conversations that a host keeps', () => {
  it('go once nothing can continue them, and only those', async () => {
    const [old, newest] = [randomUUID(), randomUUID()];
    const [oldFile, newestFile] = [keep(old), keep(newest)];
    const { sweep, asked } = prunerOf({ superseded: () => [old] });
    await sweep();
    expect([existsSync(oldFile), existsSync(newestFile)]).toEqual([false, true]);
    expect(asked.map((ids) => ids.toSorted())).toEqual([[old, newest].toSorted()]);
  });

  it('go with what lies beside them, and leave what is of another one', async () => {
    const [old, other] = [randomUUID(), randomUUID()];
    for (const id of [old, other]) keep(id);
    const work = path.join(configDir(), 'projects', '-work');
    const beside = (id: string) => [
      keep('agent-1', path.join(work, id, 'subagents')),
      keep('environment', path.join(configDir(), 'session-env', id)),
      keep('1', path.join(configDir(), 'tasks', id)),
    ];
    const [gone, kept] = [beside(old), beside(other)];
    await prunerOf({ superseded: () => [old] }).sweep();
    expect(gone.map((file) => existsSync(file))).toEqual([false, false, false]);
    expect(kept.map((file) => existsSync(file))).toEqual([true, true, true]);
  });

  it('stay while a running attempt reads or writes them', async () => {
    const id = randomUUID();
    const file = keep(id);
    await prunerOf({ superseded: all, inUse: [id] }).sweep();
    expect(existsSync(file)).toBe(true);
    await prunerOf({ superseded: all }).sweep();
    expect(existsSync(file)).toBe(false);
  });

  it('are those of the CLI alone: no other name, no other place, nothing behind a link', async () => {
    const outside = path.join(dir, 'home', '.claude', 'projects', '-work');
    const others = [
      keep('notes'),
      keep(randomUUID(), path.join(configDir(), 'projects', '-work', 'subagents')),
      keep(randomUUID(), path.join(configDir(), 'elsewhere')),
      keep(randomUUID(), path.join(dir, 'projects', 'org', 'prj', 'work', 'projects', '-work')),
      keep(randomUUID(), outside),
    ];
    symlinkSync(outside, path.join(configDir(), 'projects', '-linked'));
    await prunerOf({ superseded: all }).sweep();
    expect(others.map((file) => existsSync(file))).toEqual(others.map(() => true));
  });

  it('are asked about 500 at a time', async () => {
    for (let count = 0; count < 501; count += 1) keep(randomUUID());
    const { sweep, asked } = prunerOf({ superseded: () => [] });
    await sweep();
    expect(asked.map(({ length }) => length)).toEqual([500, 1]);
  });

  it('stay, and are not asked about again, with a control plane that knows no such call', async () => {
    const file = keep(randomUUID());
    const { sweep, asked } = prunerOf({
      superseded: () => {
        throw new ControlPlaneError('404', 404);
      },
    });
    await sweep();
    await sweep();
    expect([existsSync(file), asked.length]).toEqual([true, 1]);
  });

  it('are asked about again after a failure', async () => {
    const file = keep(randomUUID());
    let isAway = true;
    const { sweep } = prunerOf({
      superseded: (ids) => {
        if (isAway) throw new ControlPlaneError('away', null);
        return [...ids];
      },
    });
    await sweep();
    expect(existsSync(file)).toBe(true);
    isAway = false;
    await sweep();
    expect(existsSync(file)).toBe(false);
  });

  it('that an attempt continued are looked at as soon as it was settled', async () => {
    const [used, other] = [randomUUID(), randomUUID()];
    const [usedFile, otherFile] = [keep(used), keep(other)];
    const { pruner, asked, sweep } = prunerOf({
      superseded: (ids) => ids.filter((id) => id === used),
    });
    pruner.look({ configDir: configDir(), cliSessionIds: [used, randomUUID()] });
    await sweep();
    expect(asked[0]).toEqual([used]);
    expect([existsSync(usedFile), existsSync(otherFile)]).toEqual([false, true]);
  });
});
