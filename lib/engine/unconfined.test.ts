import { expect, it } from 'vitest';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { Confinement, Isolation } from '@/lib/protocol/confinement';
import type { Posture } from '@/lib/protocol/schema';
import { unconfinedFact } from './unconfined';

const POSTURE: Posture = {
  runnerVersion: '1',
  hostname: 'h',
  platform: 'linux-x64',
  user: 'u',
  isRoot: false,
  containment: 'marker',
  slots: 1,
  harnesses: [],
};

function config(isolation: Isolation): Pick<ProjectConfig, 'tiers'> {
  const [one, two, three] = DEFAULT_TIERS;
  return { tiers: [one, { ...two, isolation }, three] };
}

function runner(confinement?: Confinement) {
  return { name: 'r1', posture: confinement ? { ...POSTURE, confinement } : POSTURE };
}

const confined = runner({ state: 'confined', cause: null, detail: null });
const visible = runner({ state: 'process_list_visible', cause: 'proc_masked', detail: null });
const none = runner({ state: 'none', cause: 'not_installed', detail: null });

it.each([
  ['off', none, null],
  ['preferred', none, null],
  ['required', confined, null],
  ['required', visible, null],
  ['required', none, 'bubblewrap isn’t installed on the host.'],
  ['required', runner(), 'Its version can’t confine agents.'],
] as const)('%s: %j', (isolation, host, why) => {
  const fact = unconfinedFact([config(isolation)], 2, host);
  expect(fact && [fact.runner, fact.why]).toEqual(why && ['r1', why]);
});

it('is what either configuration requires, for that tier alone', () => {
  expect(unconfinedFact([config('off'), config('required')], 2, none)).not.toBeNull();
  expect(unconfinedFact([config('required')], 3, none)).toBeNull();
});
