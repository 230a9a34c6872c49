import { describe, expect, it } from 'vitest';
import { encodeId } from '@/lib/platform/ids';
import { defaultPreferences } from '../shell/preferences';
import type { ShellData } from '../shell/shell-data';
import { paletteGroups } from './entries';

const CHAIN = encodeId('chn', '01890a5d-ac96-774b-bcce-b302099a8057');

function dataOf(role: ShellData['organization']['role']): ShellData {
  const organization = { id: 'org_1', slug: 'acme', name: 'Acme', role };
  const project = (slug: string, name: string) => ({
    id: `prj_${slug}`,
    slug,
    name,
    state: 'active' as const,
    worst: null,
  });
  return {
    organization,
    organizations: [organization],
    projects: [project('checkout', 'Checkout'), project('billing', 'Billing')],
    runners: [{ id: 'rnr_1', name: 'eu-1' }],
    user: { name: 'Ana', email: 'ana@example.com' },
  };
}

function entriesAt(
  pathname: string,
  typed = '',
  role: ShellData['organization']['role'] = 'owner',
) {
  const groups = paletteGroups(dataOf(role), pathname, defaultPreferences, typed);
  return groups.flatMap(({ heading, entries }) => entries.map((entry) => ({ heading, ...entry })));
}

describe('the palette', () => {
  it('has what can be done with the project first, and only inside of it', () => {
    const [first] = entriesAt('/acme/projects/checkout/chains');
    expect(first).toMatchObject({
      heading: 'Checkout',
      label: 'Run a cycle now',
      act: { kind: 'run', project: 'checkout', isDryRun: false },
    });
    expect(entriesAt('/acme').some(({ act }) => act.kind === 'run')).toBe(false);
  });

  it.each([
    ['run', 'viewer', 'Needs the operator role.'],
    ['run', 'operator', undefined],
    ['new-project', 'operator', 'Needs the admin role.'],
    ['new-project', 'admin', undefined],
    ['new-token', 'viewer', undefined],
  ] as const)('lists %s for a %s, refused: %s', (key, role, refusal) => {
    const entry = entriesAt('/acme/projects/checkout', '', role).find((each) => each.key === key);
    expect(entry?.refusal).toBe(refusal);
    expect(entry).toBeDefined();
  });

  it.each([
    ['/acme/projects/checkout', 'Ask about Checkout', '/acme/projects/checkout/ask'],
    [
      '/acme/projects/checkout/chains/12',
      'Ask about chain #12',
      '/acme/projects/checkout/ask?chain=12',
    ],
  ])('on %s offers to %s', (pathname, label, href) => {
    const entry = entriesAt(pathname).find(({ key }) => key === 'ask-about');
    expect(entry).toMatchObject({ label, act: { kind: 'go', href } });
  });

  it('names nothing twice', () => {
    const keys = entriesAt('/acme/projects/checkout', '12').map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('what is typed', () => {
  const found = (pathname: string, typed: string) =>
    entriesAt(pathname, typed).flatMap(({ heading, label, act }) =>
      heading === 'Found' ? [[label, act.kind === 'go' ? act.href : act.kind]] : [],
    );

  it.each(['12', '#12', ' #12 '])('%j is a chain and a session of the project', (typed) => {
    expect(found('/acme/projects/checkout', typed)).toEqual([
      ['Chain #12', '/acme/projects/checkout/chains/12'],
      ['Session #12', '/acme/projects/checkout/sessions/12'],
    ]);
  });

  it.each([
    ['/acme', '12'],
    ['/acme/projects/checkout', '0'],
    ['/acme/projects/checkout', '12a'],
    ['/acme/projects/checkout', 'chn_short'],
  ])('at %s %j finds nothing by number', (pathname, typed) => {
    expect(found(pathname, typed)).toEqual([]);
  });

  it('is found by its id on every page', () => {
    expect(found('/acme', CHAIN)).toEqual([[`Chain ${CHAIN}`, 'find']]);
  });
});
