import { expect, it } from 'vitest';
import { AGENTS } from '@/lib/agents/registry';
import { confinesAgent } from '@/lib/fleet/capabilities';
import type { Confinement } from '@/lib/protocol/confinement';
import type { AgentHost } from './attempt/agents';
import { currentCapabilities, kindOfInstallation, reportedLimits } from './capabilities';

it.each([
  ['a checkout', ['/app/.git'], 'checkout'],
  ['an unpacked archive', [], 'checkout'],
  ['our image under Docker', ['/.dockerenv'], 'container'],
  ['our image under Podman', ['/run/.containerenv'], 'container'],
  ['a checkout in a container', ['/.dockerenv', '/app/.git'], 'checkout'],
])('[FLT-5.2] is updated like what it is: %s', (_what, files, kind) => {
  expect(kindOfInstallation('/app/workers/runner', (path) => files.includes(path))).toBe(kind);
});

const FORWARDED: AgentHost['provider'] = {
  kind: 'forwarded',
  url: 'https://api.example.com',
  headers: {},
  addressVariable: 'ANTHROPIC_BASE_URL',
  placeholders: {},
};
const DIRECT: AgentHost['provider'] = { kind: 'direct', why: 'It signs its requests itself.' };
const CONFINED: Confinement = { state: 'confined', cause: null, detail: null };

it.each<[string, AgentHost['provider'], Confinement | undefined, boolean]>([
  ['whose requests the runner forwards', FORWARDED, CONFINED, true],
  [
    'that shows its process list',
    FORWARDED,
    { ...CONFINED, state: 'process_list_visible', cause: 'proc_masked' },
    true,
  ],
  ['without a model', { kind: 'none' }, CONFINED, true],
  ['that signs its requests itself', DIRECT, CONFINED, false],
  [
    'on a host without a sandbox',
    FORWARDED,
    { ...CONFINED, state: 'none', cause: 'not_installed' },
    false,
  ],
  ['of a runner that doesn’t report it', FORWARDED, undefined, false],
])(
  '[BND-1.1] the control plane knows whether an agent is confined: %s',
  (_what, provider, confinement, expected) => {
    const host: AgentHost = {
      binary: { file: '/usr/bin/claude', args: [] },
      ...{ version: '2.1.330', fingerprint: 'f', canResume: true, startError: null },
      ...{ passThrough: {}, apiKey: null, account: null, obstacle: null, provider },
    };
    const capabilities = currentCapabilities({
      harnesses: AGENTS,
      agents: { get: () => host, apiKeys: [], refresh: async () => {} },
      canaries: { of: () => [] },
      slots: 1,
      containment: 'marker',
      confinement,
      limits: undefined,
      door: 'https',
      keySource: 'file',
      projectsDir: '/srv/projects',
      updates: null,
    });
    expect(confinesAgent(capabilities, 'claude')).toBe(expected);
  },
);

it.each([
  [
    'cgroups limit both',
    { processes: 500, memoryMb: 2_000 },
    null,
    { processes: 500, of: 'agents', memoryMb: 2_000 },
  ],
  [
    'cgroups limit memory alone',
    { processes: null, memoryMb: 2_000 },
    500,
    { processes: 500, of: 'sandboxes', memoryMb: 2_000 },
  ],
  ['sandboxes limit themselves', null, 500, { processes: 500, of: 'sandboxes', memoryMb: null }],
  ['nothing limits them', null, null, { processes: null, of: 'none', memoryMb: null }],
])('[BND-1.2] reports the limits that hold: %s', (_what, inCgroup, inSandbox, reported) => {
  expect(reportedLimits(inCgroup, inSandbox)).toEqual(reported);
});
