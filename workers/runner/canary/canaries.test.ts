import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENTS } from '@/lib/agents/registry';
import type { AgentHost } from '../attempt/agents';
import type { SandboxHost } from '../sandbox/sandbox-host';
import { createCanaries } from './canaries';

let dir: string;
let host: AgentHost;
let answers: (string | null)[];
let ran: string[];
let clock: number;
let endsWhenAborted: boolean;

const FORWARDED: AgentHost['provider'] = {
  kind: 'forwarded',
  url: '',
  headers: {},
  addressVariable: 'ANTHROPIC_BASE_URL',
  placeholders: {},
};
const PROGRAM = {} as SandboxHost['program'];
const CONFINED = { state: 'confined', cause: null, detail: null } as const;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'canaries-'));
  answers = [];
  ran = [];
  clock = 0;
  endsWhenAborted = false;
  host = {
    binary: { file: '/bin/claude', args: [] },
    version: '2.1.330',
    fingerprint: 'f1',
    canResume: true,
    startError: null,
    passThrough: {},
    apiKey: null,
    account: null,
    obstacle: null,
    provider: FORWARDED,
  };
});
afterEach(() => rmSync(dir, { recursive: true }));

function canaries(sandboxHost: Pick<SandboxHost, 'confinement' | 'program'>) {
  return createCanaries({
    dir,
    root: dir,
    passEnv: [],
    harnesses: AGENTS,
    agents: { get: () => host },
    sandboxHost: { ...sandboxHost, maxProcesses: null },
    now: () => clock,
    async run({ harness, mode, signal }) {
      ran.push(`${harness.name} ${mode}`);
      if (endsWhenAborted) await once(signal, 'abort');
      return answers.shift() ?? null;
    },
  });
}

const confining = { confinement: CONFINED, program: PROGRAM };
const statesOf = (all: ReturnType<typeof canaries>) =>
  all.of('claude').map(({ mode, state }) => `${mode} ${state}`);

describe('[BND-5.3] canaries of a host', () => {
  it('are pending until they have run, once for each way to start', async () => {
    const all = canaries(confining);
    expect(statesOf(all)).toEqual(['confined pending', 'open pending']);
    await Promise.all([all.refresh(), all.refresh()]);
    await all.refresh();
    expect(ran).toEqual(['claude confined', 'claude open']);
    expect(statesOf(all)).toEqual(['confined passed', 'open passed']);
    expect(all.of('demo')).toEqual([]);
  });

  it('run again for another version of the CLI, and not for the same after a restart', async () => {
    await canaries(confining).refresh();
    const restarted = canaries(confining);
    expect(statesOf(restarted)).toEqual(['confined passed', 'open passed']);
    host = { ...host, fingerprint: 'f2' };
    expect(statesOf(restarted)).toEqual(['confined pending', 'open pending']);
    await restarted.refresh();
    expect(ran).toHaveLength(4);
  });

  it('that failed say why, and are tried again later', async () => {
    answers = ['It ran a command that no rule allows.'];
    const all = canaries(confining);
    await all.refresh();
    expect(all.of('claude')[0]).toEqual({
      mode: 'confined',
      state: 'failed',
      detail: 'It ran a command that no rule allows.',
    });
    await all.refresh();
    expect(ran).toHaveLength(2);
    clock = 300_000;
    await all.refresh();
    expect(statesOf(all)).toEqual(['confined passed', 'open passed']);
  });

  it('end with the runner and prove nothing then, whatever they saw', async () => {
    endsWhenAborted = true;
    const all = canaries(confining);
    const refreshed = all.refresh();
    await all.close();
    await refreshed;
    expect(statesOf(all)).toEqual(['confined pending', 'open pending']);
    await all.refresh();
    expect(ran).toEqual(['claude confined']);
    expect(statesOf(canaries(confining))).toEqual(['confined pending', 'open pending']);
  });

  it('are only open where agents can’t be confined', async () => {
    const none = { state: 'none', cause: 'not_installed', detail: null } as const;
    expect(statesOf(canaries({ confinement: none, program: null }))).toEqual(['open pending']);
    host = { ...host, provider: { kind: 'direct', why: '' } };
    expect(statesOf(canaries(confining))).toEqual(['open pending']);
  });

  it('are none for a program that can’t be started', async () => {
    host = { ...host, startError: { code: 'missing', message: '' } };
    const all = canaries(confining);
    await all.refresh();
    expect([all.of('claude'), ran]).toEqual([[], []]);
  });
});
