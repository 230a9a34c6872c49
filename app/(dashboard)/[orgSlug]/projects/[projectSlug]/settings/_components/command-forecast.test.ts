import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCommandRule } from '@/lib/commands/rule';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';
import { commandPolicy } from '@/lib/projects/rules/command-policy';
import type { ProjectConfig, TierPolicy } from '@/lib/projects/schema';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { createCommands } from '@/workers/runner/broker/commands';
import { INSIDE } from '@/workers/runner/sandbox/inside';
import { type CommandForecast, forecastCommands } from './command-forecast';

const service = (name: string): ServiceSpec => ({
  name,
  checks: [{ type: 'container', target: name, timeoutSeconds: 5 }],
});
const CONFIG: ProjectConfig = {
  ...DEFAULT_CONFIG,
  isolation: 'confined',
  services: [service('web'), service('db')],
};
const POLICY: TierPolicy = {
  ...DEFAULT_CONFIG.tiers[1],
  allowedTools: ['Bash(docker restart {service})', 'Bash(helm list)', 'Bash(kubectl get pods)'],
  askFirstTools: ['Bash(docker restart db)', 'Bash(docker compose up -d --build {word})'],
  disallowedTools: ['Bash(helm uninstall:*)'],
};

const forecast = (line: string, config = CONFIG, policy = POLICY) =>
  forecastCommands(config, policy, line);

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'forecast-'));
  await writeFile(path.join(dir, 'docker'), '#!/bin/sh\n', { mode: 0o700 });
});

afterAll(() => rm(dir, { recursive: true, force: true }));

/**
 * Returns what the runner's command broker does with an argv. It asks the control plane, which refuses
 * everything here; helm and kubectl aren't installed.
 */
async function broker(argv: readonly string[]) {
  const compile = (rules: readonly string[]) =>
    rules.flatMap((text) => {
      const parsed = parseCommandRule(text);
      return parsed.ok ? [parsed.rule] : [];
    });
  const { allowed, denied, askFirst, values } = commandPolicy(
    {
      allowed: POLICY.allowedTools,
      denied: POLICY.disallowedTools,
      askFirst: POLICY.askFirstTools,
    },
    CONFIG.services,
  );
  const own = await mkdtemp(path.join(dir, 'broker-'));
  const events: BrokeredEvent[] = [];
  const approvals: unknown[] = [];
  const commands = createCommands({
    rules: { allowed: compile(allowed), denied: compile(denied), askFirst: compile(askFirst) },
    known: values,
    refused: [],
    workDir: dir,
    dir: own,
    env: { PATH: dir },
    redactor: { text: (text: string) => text, hasOpenEnd: () => false },
    isLeaseValid: () => true,
    secretsOf: () => ({ env: {}, missing: [] }),
    digestKey: Buffer.alloc(32),
    authorize: async ({ approval }) => {
      approvals.push(approval);
      return { verdict: 'refused', code: 'cooldown', message: 'Not in this test.' };
    },
    reason: () => '',
    isAgentIdle: () => true,
    onUnheld() {},
    add: (event) => events.push(event),
    sync: async () => {},
    cgroupOf: () => null,
    onManyRefused() {},
  });
  const asked = await commands.start(INSIDE.workDir, [...argv], new AbortController().signal);
  await asked.exitCode;
  const [event] = events;
  const isHeldBackLater = ['cooldown', 'not_installed'].includes(event?.refusal?.code ?? '');
  const isRefused = event?.phase === 'refused' && !isHeldBackLater;
  const needsApproval = approvals.some((approval) => approval !== null);
  return {
    rule: event?.rule ?? null,
    verdict: isRefused ? 'refused' : needsApproval ? 'waits' : 'allowed',
    why: isRefused ? event?.refusal?.message : null,
  };
}

const judged = ({ rule, verdict, why }: CommandForecast) => ({
  rule,
  verdict,
  why: verdict === 'refused' ? why : null,
});

describe('[BND-5.1] Try a command decides as the command broker does, and names the rule,', () => {
  it.each([
    ['docker restart web', 'allowed', 'Bash(docker restart {service})'],
    ['docker restart db', 'waits', 'Bash(docker restart db)'],
    ['docker restart web --signal KILL', 'refused', 'Bash(docker restart {service})'],
    ['docker restart cache', 'refused', 'Bash(docker restart db)'],
    ['kubectl get pods', 'allowed', 'Bash(kubectl get pods)'],
    ['docker rm web', 'refused', 'Bash(docker restart db)'],
    ['helm list', 'allowed', 'Bash(helm list)'],
    ['helm uninstall web', 'refused', 'Bash(helm uninstall:*)'],
  ])('for the argv of %s: %s by %s', async (line, verdict, rule) => {
    const forecasts = forecast(line);
    expect(forecasts).toMatchObject([{ argv: line.split(' '), verdict, rule }]);
    expect(forecasts.map(judged)).toEqual([await broker(line.split(' '))]);
  });

  it('for each argv of a shell line', async () => {
    const forecasts = forecast(
      `kubectl get pods | grep -q web && for s in x; do bash -c "docker restart 'db'"; done; /usr/bin/docker restart web --force`,
    );
    expect(forecasts.map(({ argv, verdict }) => `${verdict}: ${argv.join(' ')}`)).toEqual([
      'allowed: kubectl get pods',
      'inside: grep -q web',
      'waits: docker restart db',
      'refused: docker restart web --force',
    ]);
    const brokered = forecasts.filter(({ verdict }) => verdict !== 'inside');
    const decided = await Promise.all(brokered.map(({ argv }) => broker(argv)));
    expect(brokered.map(judged)).toEqual(decided);
  });

  it.each(['docker restart db', `kubectl get pods && bash -c 'docker restart db'`])(
    'the cooldown and the approval that would apply: %s',
    (line) => {
      expect(forecast(line).at(-1)).toMatchObject({
        verdict: 'waits',
        rule: 'Bash(docker restart db)',
        why: 'Bash(docker restart db) allows it outside the sandbox once a person has approved it.',
        approval:
          'One operator, admin or owner must approve it, other than the person who started the chain. It is held for 1m, then the process ends until the decision. The request expires after 4h.',
        cooldowns: ['Counts as a restart of db. Cooldown: 2 restarts per service in 4h.'],
      });
    },
  );
});

describe('a command that would wait', () => {
  it.each([
    [{}, 2, /^One operator, admin or owner must/],
    [{ people: 2 }, 2, /^Two operators, admins or owners must/],
    [{}, 3, /^One admin or owner must/],
    [{ people: 2, operatorsUpToTier: 1 as const }, 2, /^Two admins or owners must/],
    [{ holdSeconds: 0 }, 2, /The process ends until the decision\./],
    [{ expiresSeconds: Number.NaN }, 2, /started the chain\.$/],
  ] as const)('with %j in tier %i says who decides', (changes, tier, words) => {
    const config = { ...CONFIG, approvals: { ...CONFIG.approvals, ...changes } };
    const [waiting] = forecast('docker restart db', config, { ...POLICY, tier });
    expect(waiting?.approval).toMatch(words);
  });

  it('is refused where a cooldown allows none, so nobody decides about it', () => {
    const cooldowns = [{ action: 'restart', limit: 0, windowSeconds: 3_600 } as const];
    expect(forecast('docker restart db', { ...CONFIG, cooldowns })).toMatchObject([
      {
        verdict: 'refused',
        approval: null,
        cooldowns: ['Counts as a restart of db. Cooldown: No restart of any service.'],
      },
    ]);
  });
});

describe('a command that is allowed', () => {
  it('counts for cooldowns only if it may change something', () => {
    const [pods, restart, compose] = forecast(
      'kubectl get pods; docker restart web; docker compose up -d --build web',
      { ...CONFIG, cooldowns: [] },
    );
    expect(pods?.cooldowns).toEqual([]);
    expect(restart?.cooldowns).toEqual(['Counts as a restart of web. No cooldown limits it.']);
    expect(compose?.cooldowns).toEqual(['Counts as a redeployment of web. No cooldown limits it.']);
  });
});
