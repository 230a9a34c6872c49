import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { chainDetailSchema } from '@/lib/insight/chains/schema';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import { callBash, failWith, type Reply } from '../support/messages-api/reply';
import {
  chainWhere,
  createProject,
  endedChain,
  eventsOf,
  readSession,
  runChain,
  sessionsOf,
  startChain,
} from '../support/system/chain-run';
import { addClaudeHost, type ClaudeHost } from '../support/system/claude-host';
import { useSharedSystem } from '../support/system/use-system';
import { type Misbehaviour, misbehave, misbehavingAgent } from './support/misbehaving-agent';
import { noticesOf } from './support/session-facts';

const system = useSharedSystem();

const observeOnly = (name: string, runnerPool: string): ProjectDocument => ({
  name,
  harness: 'claude',
  // The program in the CLI's place isn't in the sandbox.
  isolation: 'open',
  runnerPool,
  maxTier: 1,
  schedule: { kind: 'manual', timeZone: 'UTC' },
});

/** A runner with this program in the CLI's place, and a project for it. */
async function projectWith(
  name: string,
  program: string,
  changes: Partial<ProjectDocument> = {},
): Promise<string> {
  await system.addRunner({ name, pool: name, env: { CLAUDE_BIN: program } });
  return (await createProject(system.api, { ...observeOnly(name, name), ...changes })).id;
}

describe('a program that cannot be started', () => {
  it.each([
    ['is missing', 'missing', (_file: string) => {}, 'was not found'],
    [
      'is not executable',
      'not-executable',
      (file: string) => writeFileSync(file, '#!/bin/sh\n', { mode: 0o644 }),
      'cannot be executed',
    ],
    [
      'is another one',
      'other-program',
      (file: string) => writeFileSync(file, '#!/bin/sh\necho 1.0-beta\n', { mode: 0o755 }),
      'printed this for --version: 1.0-beta',
    ],
  ])('%s: the session says so and what to do', async (_what, name, make, says) => {
    const file = path.join(system.dataDir, name);
    make(file);
    const chain = await runChain(system.api, await projectWith(name, file));
    expect(chain).toMatchObject({ outcome: 'failed', totalCostUsd: 0 });
    const [session] = await sessionsOf(system.api, chain);
    expect(session?.status).toBe('failed');
    const exits = session?.attempts.map(({ exit }) => exit);
    expect(exits).toEqual([expect.objectContaining({ kind: 'start_failed' })]);
    expect(exits?.[0]?.text).toContain(says);
    expect(session?.statusText).toContain(name);
  });
});

describe('a program that misbehaves', () => {
  let project: string;
  beforeAll(async () => {
    const dir = path.join(system.dataDir, 'misbehaving');
    mkdirSync(dir);
    const tiers = [{ tier: 1 as const, stallSeconds: 10 }];
    project = await projectWith('misbehaving', await misbehavingAgent(dir), { tiers });
  });

  async function run(how: Misbehaviour) {
    const chain = await runChain(system.api, project, misbehave(how));
    const [session] = await sessionsOf(system.api, chain);
    return { chain, session, events: await eventsOf(system.api, session?.id ?? '') };
  }

  it.each<{ how: Misbehaviour; ends: string[]; says: RegExp; costUsd: number }>([
    { how: 'garbage', ends: ['killed', 'killed'], says: /without a result/, costUsd: 0.06 },
    { how: 'nothing', ends: ['killed', 'killed'], says: /without a result/, costUsd: 0 },
    { how: 'nothing and exit 1', ends: ['crashed', 'crashed'], says: /code 1/, costUsd: 0 },
    { how: 'ends by a signal', ends: ['killed', 'killed'], says: /something other/, costUsd: 0.06 },
    {
      how: 'ignores the schema',
      ends: ['report_missing', 'report_missing'],
      says: /report/,
      costUsd: 0.06,
    },
  ])('$how: $ends, with what was spent', async ({ how, ends, says, costUsd }) => {
    const { chain, session } = await run(how);
    expect(chain.outcome).toBe('failed');
    expect(session?.attempts.map(({ exit }) => exit?.kind)).toEqual(ends);
    expect(session?.attempts.at(-1)?.exit?.text).toMatch(says);
    expect(session?.statusText).toMatch(says);
    expect(chain.totalCostUsd).toBe(costUsd);
  });

  it('[ENG-5.5] never ends: stalled at the limit of its tier, continued once, and ended', async () => {
    const { chain, session, events } = await run('never ends');
    expect(chain.outcome).toBe('failed');
    expect(session?.attempts.map(({ exit }) => exit?.kind)).toEqual(['stalled', 'stalled']);
    expect(session?.attempts.map(({ costUsd }) => costUsd)).toEqual([0.03, 0.03]);
    expect(session?.attempts[0]?.exit?.text).toContain('No output for 10 s');
    expect(session?.statusText).toContain('stalled again after it was continued once');
    expect(noticesOf(events)).toEqual(
      expect.arrayContaining(['warning STALLED', 'info OK_CONTINUE', 'critical CONTINUE_SPENT']),
    );
  });

  it('[ENG-5.5] goes silent once: its conversation continues, and its report counts', async () => {
    const { chain, session } = await run('goes silent once');
    expect(chain.outcome).toBe('healthy');
    expect(session?.attempts.map(({ exit }) => exit?.kind)).toEqual(['stalled', 'completed']);
    expect(session?.attempts.map(({ purpose }) => purpose)).toEqual(['tier', 'continue']);
    expect(session?.report?.summary).toBe('It continued.');
    expect(session?.decision?.reason).toBe('OK_CONTINUE');
  });

  it('a line of 20 MB is cut, and the report behind it counts', async () => {
    const { chain, session, events } = await run('long line');
    expect(chain.outcome).toBe('healthy');
    expect(session?.report?.summary).toBe('After a long line.');
    const longest = Math.max(...events.map(({ payload }) => JSON.stringify(payload).length));
    expect(longest).toBeLessThan(2_000_000);
    expect(chain.totalCostUsd).toBe(0.03);
  });

  it('of two results the last counts, and the cost is not counted twice', async () => {
    const { chain, session } = await run('two results');
    expect(chain).toMatchObject({ outcome: 'healthy', totalCostUsd: 0.03 });
    expect(session?.report?.summary).toBe('The last one.');
  });
});

const cli = inject('clis').findLast(({ problem }) => problem === null);

describe.skipIf(cli === undefined)('a provider that refuses, with the real CLI', () => {
  let host: ClaudeHost;
  let project: string;
  beforeAll(async () => {
    host = await addClaudeHost(system, { binary: cli?.binary ?? '', name: 'refused' });
    project = (await createProject(system.api, observeOnly('refused', 'refused'))).id;
  });
  afterAll(async () => {
    await host?.close();
  });

  /** The first request is answered, every later one is refused; the first attempt's end. */
  async function firstEnd(refuse: () => Reply) {
    let answered = 0;
    host.model.setScript(() => {
      answered += 1;
      return answered === 1 ? callBash('docker ps') : refuse();
    });
    const { id } = await startChain(system.api, project);
    const isOver = ({ statusText, status }: { statusText: string; status: string }) =>
      status === 'ended' || /next retry/i.test(statusText);
    const seen = await chainWhere(
      system.api,
      id,
      'told its first end',
      (chain) => isOver(chain) || chain.sessions.some(isOver),
    );
    const session = await readSession(system.api, seen.sessions[0]?.id ?? '');
    if (seen.status !== 'ended') {
      await system.api.post(`chains/${id}/stop`, {}, chainDetailSchema);
      await endedChain(system.api, id);
    }
    return { session, events: await eventsOf(system.api, session.id) };
  }

  it.each([
    {
      what: '401',
      refuse: () => failWith(401),
      kind: 'auth',
      says: /refused the key .* \(401\)/,
      follows: /Retrying now would not help/,
    },
    {
      what: '429 for an hour',
      refuse: () => failWith(429, 'slow down', { 'retry-after': '3600' }),
      kind: 'rate_limited',
      says: /rate limit was reached \(429\)\. The provider asked for a longer wait/,
      follows: /The next retry is in 15 min\./,
    },
    {
      what: '529',
      refuse: () => failWith(529),
      kind: 'overloaded',
      says: /overloaded \(529\)/,
      follows: /The next retry is in 30 s\./,
    },
    {
      what: 'no connection',
      refuse: () => {
        void host.model.close();
        return failWith(529);
      },
      kind: 'unreachable',
      says: /can't reach the model provider/,
      follows: /The next retry is in 30 s\./,
    },
  ])('$what: $kind, and what was spent before stays', async ({ refuse, kind, says, follows }) => {
    const { session, events } = await firstEnd(refuse);
    expect(session.attempts[0]?.exit).toMatchObject({ kind, text: expect.stringMatching(says) });
    expect(session.statusText).toMatch(follows);
    expect(noticesOf(events).join()).toContain(kind.toUpperCase());
    expect(session.costUsd).toBeGreaterThan(0);
    expect(session.ledger.length).toBeGreaterThan(0);
  });
});
