/**
 * A third agent CLI costs a folder, a name and a line in the registry: tests/support/third-agent.
 * Its program, stream, exit codes, prices, version and flags are its own, and a real runner drives it.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AgentSelect } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/settings/_components/setting-input';
import {
  AgentChoice,
  preselectedAgent,
} from '@/app/(dashboard)/[orgSlug]/projects/new/_components/project-wizard';
import { RunnerTable } from '@/app/(dashboard)/[orgSlug]/runners/_components/runner-table';
import { CapabilitiesCard } from '@/app/(dashboard)/[orgSlug]/runners/[runnerId]/_components/capabilities-card';
import { AGENTS, agentLabel, listAgents, pricesOf, tierModelsOf } from '@/lib/agents/registry';
import { startConversation } from '@/lib/conversations/manage-conversations';
import { listTurns } from '@/lib/conversations/read-conversations';
import { askTurn } from '@/lib/conversations/turns';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { afterSilence } from '@/lib/engine/continuation/silence';
import { recordHeartbeat } from '@/lib/engine/directives';
import { silenceFacts } from '@/lib/engine/ending/tool-calls';
import { runnerDenial } from '@/lib/fleet/denied-versions';
import { listRunners } from '@/lib/fleet/manage-runners';
import { getChainWork } from '@/lib/insight/chains/get-chain';
import { previewTier, shippedPrompt } from '@/lib/insight/preview';
import { getSession } from '@/lib/insight/sessions/get-session';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { createFromDocument, patchProject } from '@/lib/projects/apply-document';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';
import { startSpecSchema } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { useTestDatabase } from '@/tests/support/database';
import {
  type RunnerProcess,
  startRunnerProcess,
} from '@/tests/support/fake-control-plane/runner-process';
import { testProgram } from '@/tests/support/programs';
import { allowParrot } from '@/tests/support/third-agent/allow-parrot';
import { PARROT } from '@/tests/support/third-agent/parrot/parrot-name';
import { type ApiServer, startApiServer } from '../api/support/server';
import { saveConfig, startOne } from '../engine/support/running';

const database = useTestDatabase();
const SUPPORT = path.resolve(import.meta.dirname, '../../support/third-agent');
const PATIENTLY = { timeout: 50_000, interval: 200 };
const KEY = 'pk-polly-wants-a-cracker-0001';

const [one, two, three] = DEFAULT_TIERS;
const PARROT_CONFIG = {
  harness: PARROT,
  maxTier: 2 as const,
  tiers: [
    { ...one, model: 'macaw' },
    { ...two, model: 'macaw', isEnabled: true },
    three,
  ] as typeof DEFAULT_TIERS,
};

let dir: string;
let server: ApiServer;
let cast: Cast;
let runner: RunnerProcess;

beforeAll(async () => {
  await allowParrot(database.ownerUrl);
  dir = await mkdtemp(path.join(tmpdir(), 'tw-parrot-'));
  server = await startApiServer('runner/v1');
  cast = await makeCast(PARROT_CONFIG);
  runner = startRunnerProcess(
    {
      TIERWATCH_URL: server.url,
      TIERWATCH_RUNNER_KEY: cast.runnerKey,
      TIERWATCH_RUNNER_DIR: path.join(dir, 'runner'),
      TIERWATCH_RUNNER_GRACE_SECONDS: '0',
      PARROT_BIN: path.join(SUPPORT, 'parrot/parrot.mjs'),
      PARROT_KEY: KEY,
    },
    testProgram('third-agent-runner'),
  );
  await vi.waitFor(async () => {
    expect((await parrotOf(cast))?.version, runner.output()).toBe('7.4.1');
  }, PATIENTLY);
});

afterAll(async () => {
  await runner?.kill('SIGTERM');
  await server?.close();
  await rm(dir, { recursive: true, force: true });
});

async function onlyRunner(of: Cast) {
  const [found] = (await listRunners(of.alice, { limit: 10 })).data;
  if (!found) throw new Error('There is no runner.');
  return found;
}

async function parrotOf(of: Cast) {
  return (await onlyRunner(of)).capabilities?.harnesses.find(({ name }) => name === PARROT);
}

/** All rows of a chain that has ended. */
function ended(chainId: string) {
  return vi.waitFor(async () => {
    const rows = await readChain(cast.alice, chainId);
    expect(rows.chain.status, runner.output()).toBe('ended');
    return rows;
  }, PATIENTLY);
}

function answers(conversationId: string, count: number) {
  return vi.waitFor(async () => {
    const turns = await listTurns(cast.alice, conversationId, { withCut: false });
    const given = turns.flatMap(({ answer }) => answer ?? []);
    expect(given, runner.output()).toHaveLength(count);
    return given;
  }, PATIENTLY);
}

/** Without the program itself, whose place differs. */
function argvOf(attempt: { command: unknown } | undefined): string[] {
  const command = attempt?.command as { argv?: string[] } | null | undefined;
  return (command?.argv ?? []).slice(1);
}

describe('[ENG-1.2] a third agent CLI', () => {
  it('is started, parsed, classified, priced and resumed as itself by a real runner', async () => {
    const rows = await ended(await startOne(cast));
    expect(rows.sessions.map(({ tier, status }) => [tier, status])).toEqual([
      [1, 'escalated'],
      [2, 'completed'],
    ]);
    const [first, second] = rows.attempts;
    expect(argvOf(first)).toEqual([
      ...['--perch', '1', '--as', first?.confirmedCliSessionId, '--voice', 'macaw'],
    ]);
    expect(argvOf(second)).toEqual([
      ...['--perch', '2', '--as', second?.confirmedCliSessionId, '--voice', 'macaw'],
      ...['--carry-on', first?.confirmedCliSessionId],
    ]);
    expect(rows.attempts.map(({ end, cliVersion }) => [end, cliVersion])).toEqual([
      ['completed', '7.4.1'],
      ['completed', '7.4.1'],
    ]);
    const contexts = rows.attempts.map((attempt) => [attempt.contextTokens, attempt.contextWindow]);
    expect(contexts).toEqual([
      [2_300, 50_000],
      [2_300 + 'perch 1 sang\n'.length, 50_000],
    ]);

    expect(rows.pointers.map(({ harness, state }) => [harness, state])).toContainEqual([
      PARROT,
      'confirmed',
    ]);
    expect(rows.decisions.filter(({ kind }) => kind === 'continuation').at(-1)).toMatchObject({
      verdict: 'resume',
    });

    // 2,000 tokens in and 300 out by its own table, then what it said itself.
    expect(
      rows.ledger.map(({ model, costMicros, source, priceTable }) => {
        return { model, costMicros: Number(costMicros), source, priceTable };
      }),
    ).toEqual([
      { model: 'macaw', costMicros: 500_000, source: 'estimated', priceTable: '2026-02-03' },
      { model: 'macaw', costMicros: 70_000, source: 'reported', priceTable: null },
    ]);

    const windows = await inTransaction(cast.alice, (db) => db.modelWindow.findMany({}));
    expect(
      windows.map(({ harness, model, windowTokens }) => [harness, model, windowTokens]),
    ).toEqual([[PARROT, 'macaw', 50_000]]);

    // Its report's tool changes nothing, by whatever name.
    const ids = rows.sessions.map(({ id }) => encodeId('ses', id));
    const work = await getChainWork(cast.alice, encodeId('chn', rows.chain.id), ids);
    expect(work.actions).toEqual([]);

    const session = await getSession(cast.alice, encodeId('ses', rows.sessions[1]?.id ?? ''));
    expect(session.attempts[0]?.harness).toBe(PARROT);
    expect(agentLabel(session.attempts[0]?.harness ?? '')).toBe('Parrot CLI');
    expect(pricesOf(session.attempts[0]?.harness)?.measuredOn).toBe('2026-02-03');
  });

  it('is classified by its own exit codes, and waits for as long as it says', async () => {
    await saveConfig(cast, { ...PARROT_CONFIG, instructions: 'the provider is busy' });
    const chainId = await startOne(cast);
    const [first, second] = await vi.waitFor(async () => {
      const { attempts } = await readChain(cast.alice, chainId);
      expect(attempts, runner.output()).toHaveLength(2);
      return attempts;
    }, PATIENTLY);
    expect(first).toMatchObject({ end: 'rate_limited', exitCode: 75 });
    const waits = Number(second?.notBefore) - Number(first?.endedAt);
    // As long as the agent said, counted from when its end was processed.
    expect(waits).toBeGreaterThanOrEqual(77_000);
    expect(waits).toBeLessThan(2 * 77_000);
    await stopChain(cast.alice, chainId);
    await ended(chainId);
  });

  it('falls back to itself when it rejects a conversation', async () => {
    await saveConfig(cast, { ...PARROT_CONFIG, instructions: 'forget the song' });
    const { attempts, decisions } = await ended(await startOne(cast));
    expect(attempts.map(({ end, exitCode }) => [end, exitCode])).toEqual([
      ['completed', 0],
      ['resume_rejected', 66],
      ['completed', 0],
    ]);
    expect(argvOf(attempts[1])).toContain('--carry-on');
    expect(argvOf(attempts[2])).not.toContain('--carry-on');
    expect(decisions.findLast(({ kind }) => kind === 'continuation')).toMatchObject({
      verdict: 'handoff',
    });
  });

  it.each([
    ['budgie', 'macaw', 'OK_RESUME'],
    ['macaw', 'budgie', 'MODEL_EDGE_UNPROVEN'],
  ])('has proven pairs of models of its own: %s, %s: %s', async (first, second, reason) => {
    const tiers = [
      { ...one, model: first },
      { ...two, model: second, isEnabled: true },
      three,
    ] as typeof DEFAULT_TIERS;
    await saveConfig(cast, { ...PARROT_CONFIG, tiers, unprovenModels: 'handoff' });
    const { decisions } = await ended(await startOne(cast));
    expect(decisions.findLast(({ kind }) => kind === 'continuation')).toMatchObject({ reason });
  });

  it('answers people without a way to ask back, and continues from its own words', async () => {
    await saveConfig(cast, PARROT_CONFIG);
    const { conversationId } = await startConversation(cast.alice, {
      project: cast.projectSlug,
      message: 'Is web well?',
      forceFresh: false,
    });
    expect(await answers(conversationId, 1)).toEqual(['I remember: nothing']);
    await askTurn(cast.alice, conversationId, { message: 'And db?', forceFresh: false });
    expect((await answers(conversationId, 2))[1]).toBe('I remember: perch 1 sang');
    const starts = await inTransaction(cast.alice, (db) =>
      db.attempt.findMany({ where: { purpose: 'ask' }, select: { start: true } }),
    );
    expect(starts.map(({ start }) => startSpecSchema.parse(start).questionWaitSeconds)).toEqual([
      null,
      null,
    ]);
  });

  it('is offered by its runner under its own name, version and account', async () => {
    expect(await parrotOf(cast)).toMatchObject({
      version: '7.4.1',
      isUsable: true,
      problem: null,
      canResume: true,
      account: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    const runnerDto = await onlyRunner(cast);
    expect(runnerDto.problems).toEqual([]);
    const card = renderToStaticMarkup(createElement(CapabilitiesCard, { runner: runnerDto }));
    expect(card).toMatch(/Parrot CLI.*7\.4\.1/);
    const table = renderToStaticMarkup(
      createElement(RunnerTable, { orgSlug: 'acme', runners: [runnerDto], now: new Date() }),
    );
    expect(table).toContain('Parrot CLI 7.4.1');
    expect(JSON.stringify(runnerDto)).not.toContain(KEY);
  });

  it('is not denied by a list of versions of Claude Code', () => {
    const agent = { version: '1.0.0', fingerprint: null, isUsable: true, problem: null };
    const harnesses = ['claude', PARROT].map((name) => ({ ...agent, name }));
    const capabilities = { ...TEST_CAPABILITIES, harnesses };
    const lists = { installation: ['<2.1.330'], organization: ['1.0.0'] };
    expect(runnerDenial(capabilities, 'claude', lists)).toEqual({
      by: 'installation',
      entry: '<2.1.330',
    });
    expect(runnerDenial(capabilities, PARROT, lists)).toBeNull();
  });

  it('has its own problems on a runner, and an unknown one is shown as such', async () => {
    const other = await makeCast();
    const agent = { fingerprint: null, isUsable: true, problem: null };
    const harnesses = [
      { ...agent, name: PARROT, version: '6.0.1' },
      { ...agent, name: 'gull', version: '1.0' },
    ];
    const capabilities = { ...TEST_CAPABILITIES, harnesses };
    await recordHeartbeat(other.runner, { protocol: 1, capabilities, running: [] }, new Date());
    const runnerDto = await onlyRunner(other);
    expect(runnerDto.problems.map(({ message }) => message)).toEqual([
      'Parrot CLI 6.0.1 repeats every secret it hears.',
    ]);
    const card = renderToStaticMarkup(createElement(CapabilitiesCard, { runner: runnerDto }));
    expect(card).toContain('gull (unknown agent)');
    expect(card).not.toContain('Claude');
  });

  it.each([
    ['ruffled', null],
    ['hoarse', 'continue'],
    // Claude Code's word for it means nothing here.
    ['aborted_tools', 'continue'],
  ])(
    'continues after a silence unless it says that a call was interrupted: %j',
    (word, expected) => {
      const agent = AGENTS[PARROT];
      const parser = agent.createParser();
      const events = [
        ...parser.push('hello\tc1\t7.4.1\tmacaw\t50000\tshell'),
        ...parser.push(`bye\t-\tnull\t${word}`),
      ];
      const reported = { startError: null, exit: { code: 1, signal: null }, lastSeq: 2 };
      const limits = { timeoutSeconds: 1, stallSeconds: 1, maxTurns: 1, maxBudgetUsd: 1 };
      const classified = agent.classifyEnd({
        ...reported,
        start: {
          ...{ purpose: 'tier', model: 'macaw', cliSessionId: 'c1', limits },
          continuation: { mode: 'fresh' },
        },
        stopCause: 'stalled',
        stderrTail: '',
        transcriptSeen: true,
        runner: 'r',
        init: events.find((event) => event.kind === 'init') ?? null,
        results: events.filter((event) => event.kind === 'result'),
        ...{ hasValidReport: false, isReportRequired: true },
        ...{ rateLimitResetsAt: null, rateLimitRetries: 0, endedAt: new Date() },
      });
      const about = { isContinuation: false, events, harness: PARROT, reported, earlier: [] };
      expect(afterSilence(classified.end, silenceFacts(classified, about))).toBe(expected);
    },
  );

  it('gives its own models to the tiers of a project that names none', async () => {
    const modelsOf = ({ tiers }: { tiers: readonly { model: string }[] }) =>
      tiers.map(({ model }) => model);
    expect(modelsOf(DEFAULT_CONFIG)).toEqual(AGENTS[DEFAULT_CONFIG.harness].tierModels);

    const tiers = [{ tier: 2 as const, model: 'budgie' }];
    const named = { name: 'Aviary', harness: PARROT, tiers };
    const created = await createFromDocument(cast.alice, named, {
      tierModelsOf,
      canConfine: false,
    });
    expect(modelsOf(created)).toEqual(['budgie', 'budgie', 'macaw']);
    const plain = await createFromDocument(
      cast.alice,
      { name: 'Cage' },
      { tierModelsOf, canConfine: false },
    );
    expect(modelsOf(plain)).toEqual(modelsOf(DEFAULT_CONFIG));
    const patched = await patchProject(cast.alice, 'cage', { harness: PARROT }, tierModelsOf);
    expect(modelsOf(patched)).toEqual(['budgie', 'macaw', 'macaw']);
  });

  it('is offered where an agent is chosen, and previewed with its own command', () => {
    const agents = listAgents();
    const select = renderToStaticMarkup(
      createElement(AgentSelect, { agents, value: PARROT, onChoose: () => {} }),
    );
    expect(select).toMatch(/<option value="parrot" selected="">Parrot CLI<\/option>/);
    const runners = [
      {
        ...{ id: 'r', name: 'r', pool: 'default', isOnline: true, enrolmentId: null },
        agents: [{ name: PARROT, isUsable: true, problem: null }],
        ...{ canConfine: false, why: '', fix: '' },
      },
    ];
    expect(preselectedAgent(agents, runners)).toBe(PARROT);
    const choice = renderToStaticMarkup(
      createElement(AgentChoice, { value: PARROT, agents, runners, onChange: () => {} }),
    );
    expect(choice).toContain('A runner of this pool has Parrot CLI and a key for the model.');
    const config = testConfig(PARROT_CONFIG);
    const { argv, prompt, systemPrompt } = previewTier({ name: 'Checkout', config }, 2, null);
    expect(systemPrompt).toMatch(/Tools: .*, tierwatch\.check, recite\b/);
    expect(prompt).toContain('Finish by calling recite.');
    expect(shippedPrompt(1, PARROT)).toContain('Call `recite` with your report.\n{{request}}');
    expect(prompt + systemPrompt).not.toMatch(/StructuredOutput|mcp__/);
    expect(argv).toEqual([
      ...['parrot', '--perch', '2', '--as', '<new id>', '--voice', 'macaw'],
      ...['--carry-on', '<conversation of tier 1>'],
    ]);
  });
});
