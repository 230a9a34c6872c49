import { describe, expect, it } from 'vitest';
import { type Capabilities, RUNNER_VERSION } from '@/lib/protocol/schema';
import { runnerProblems } from './problems';

const claude: Capabilities['harnesses'][number] = {
  name: 'claude',
  version: '2.1.330',
  fingerprint: 'f1',
  isUsable: true,
  problem: null,
};
const capabilities: Capabilities = {
  runnerVersion: RUNNER_VERSION,
  hostname: 'host',
  platform: 'linux-x64',
  user: 'ops',
  isRoot: false,
  containment: 'marker',
  slots: 4,
  harnesses: [claude],
};
const withClaude = (changes: Partial<typeof claude>) => {
  return { capabilities: { ...capabilities, harnesses: [{ ...claude, ...changes }] } };
};
const denied = { installation: [], organization: [] };
const update = {
  isAvailable: false,
  obstacle: 'It runs from a checkout.',
  state: 'none' as const,
  requestedAt: null,
  failedAt: null,
  failure: null,
};
const sound = {
  status: 'online' as const,
  capabilities,
  isKeyShared: false,
  clockSkewMs: 40,
  denied,
  update,
};

describe('a runner with a problem says what to check', () => {
  it.each<[string, Partial<Parameters<typeof runnerProblems>[0]>, string[], RegExp]>([
    ['in order', {}, [], /^$/],
    ['unknown clock', { clockSkewMs: null }, [], /^$/],
    [
      'never',
      { status: 'never', capabilities: null },
      ['never_connected'],
      /Run its command again/,
    ],
    ['offline', { status: 'offline' }, ['offline'], /host is up/],
    [
      'no CLI',
      withClaude({ version: null, isUsable: false, problem: 'claude is not there.' }),
      ['cli_unusable'],
      /not there\. Install Claude Code/,
    ],
    ['untested', withClaude({ problem: 'Not tested.' }), ['cli_untested'], /Not tested/],
    [
      'CLI that prints files',
      withClaude({ version: '2.1.197' }),
      ['cli_reads_files'],
      /print any file.*Install 2\.1\.330/,
    ],
    [
      '[ENG-2.7] a version that the installation denies',
      { denied: { installation: ['<2.1.331'], organization: [] } },
      ['cli_denied'],
      /Claude Code 2\.1\.330, which TIERWATCH_DENIED_CLI_VERSIONS denies \(<2\.1\.331\).*Install another/,
    ],
    [
      '[ENG-2.7] a version that the organization denies',
      { denied: { installation: ['2.1.197'], organization: ['2.1.330'] } },
      ['cli_denied'],
      /which this organization denies \(2\.1\.330\)/,
    ],
    [
      '[FLT-5.2] a runner that can update itself',
      { update: { ...update, obstacle: null, isAvailable: true } },
      ['outdated'],
      /another version .* Choose Update\./,
    ],
    [
      '[FLT-5.2] one that is being updated',
      { update: { ...update, obstacle: null, isAvailable: true, state: 'running' } },
      [],
      /^$/,
    ],
    [
      '[FLT-5.2] an update that was taken back',
      { update: { ...update, state: 'failed', failure: 'It exited (exit code 3).' } },
      ['update_failed'],
      /continues with its previous version\. It exited \(exit code 3\)\./,
    ],
    [
      'old',
      { capabilities: { ...capabilities, runnerVersion: '0.9.12' } },
      ['outdated'],
      /0\.9\.12.*git pull/,
    ],
    [
      '[BND-4.1] one from before approvals and canaries',
      { capabilities: { ...capabilities, runnerVersion: '1.3.0' } },
      ['outdated'],
      /Until then, commands that ask first are denied there, and no tier above 1 starts there with a model\./,
    ],
    ['fast clock', { clockSkewMs: 95_400 }, ['clock_skew'], /95 s ahead/],
    ['slow clock', { clockSkewMs: -31_000 }, ['clock_skew'], /31 s behind/],
    ['revoked', { status: 'revoked', clockSkewMs: 95_400 }, [], /^$/],
  ])('%s', (_name, facts, codes, words) => {
    const problems = runnerProblems({ ...sound, ...facts });
    expect(problems.map(({ code }) => code)).toEqual(codes);
    expect(problems.map(({ message }) => message).join(' ')).toMatch(words);
  });
});
