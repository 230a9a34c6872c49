import { describe, expect, it } from 'vitest';
import type { CheckSpec, ServiceSpec } from '@/lib/protocol/spec';
import { DEFAULT_CONFIG } from '../new-project';
import type { ProjectConfig } from '../schema';
import { reachWarnings, unfilledNotice, unfilledWarning } from './reach';

function service(name: string, ...checks: [CheckSpec['type'], string][]): ServiceSpec {
  return { name, checks: checks.map(([type, target]) => ({ type, target, timeoutSeconds: 5 })) };
}

const WEB = service('web', ['container', 'shop-web-1']);
const DB = service('db', ['container', 'shop-db-1']);
const RESTART = 'Bash(docker restart {service})';

/** Tier 2 has these rules, and the defaults without any. */
function config(services: ServiceSpec[], rules: string[] | null = null): ProjectConfig {
  const [one, two, three] = DEFAULT_CONFIG.tiers;
  const own = rules === null ? {} : { allowedTools: rules };
  return {
    ...DEFAULT_CONFIG,
    services,
    tiers: [{ ...one, allowedTools: [] }, { ...two, isEnabled: true, ...own }, three],
    maxTier: 2,
  };
}

describe('[HLD-3.5] what a save says about {service}', () => {
  it.each<[string, ProjectConfig | null, ProjectConfig, (string | RegExp)[]]>([
    ['nothing of default rules that nothing fills', null, config([service('web')]), []],
    ['nothing of rules that checks fill', null, config([WEB], [RESTART]), []],
    [
      'a rule that someone wrote and no check fills',
      null,
      config([service('web', ['tcp', 'h:1'])], ['Bash(docker kill {service})']),
      [
        'Tier 2: Bash(docker kill {service}) allows nothing: no check of the type container names what it acts on.',
      ],
    ],
    [
      'a default rule whose last container goes',
      config([WEB], [RESTART]),
      config([service('web')], [RESTART]),
      [
        'Tier 2: Bash(docker restart {service}) allows nothing: no check of the type container names what it acts on.',
      ],
    ],
    [
      'rules of one reason together',
      null,
      config([WEB], ['Bash(kubectl delete pod {service})', 'Bash(kubectl scale {service})']),
      [
        'Tier 2: Bash(kubectl delete pod {service}), Bash(kubectl scale {service}) allow nothing: no kind of check names what kubectl acts on. Write the name itself.',
      ],
    ],
    [
      'Compose without its project',
      null,
      config([WEB], ['Bash(docker compose restart {service})']),
      [/names? its Compose project, as in docker compose -p shop restart/],
    ],
    [
      'what a container can’t fill',
      null,
      config([WEB], ['Bash(docker volume rm {service})']),
      [/of the type container names what this command acts on/],
    ],
    [
      'a host',
      null,
      config([WEB], ['Bash(nc {host} 80)']),
      [/allows nothing: no check names a host/],
    ],
    [
      'what a rule allows beyond the version before',
      config([WEB], [RESTART]),
      config([WEB, DB], [RESTART]),
      ['Tier 2: Bash(docker restart {service}) now also allows docker restart shop-db-1.'],
    ],
    [
      'the first few of many',
      config([WEB], [RESTART]),
      config(
        [WEB, ...Array.from({ length: 8 }, (_, at) => service(`s${at}`, ['container', `c${at}`]))],
        [RESTART],
      ),
      [/docker restart c4 and 3 more\.$/],
    ],
    ['no display name that changes', config([WEB]), config([{ ...WEB, name: 'shop' }]), []],
    [
      'nothing of tiers that are off',
      config([WEB], [RESTART]),
      { ...config([WEB, DB], [RESTART]), maxTier: 1 },
      [],
    ],
    ['nothing of a rule that is new', config([WEB], []), config([WEB], [RESTART]), []],
  ])('%s', (_what, before, after, expected) => {
    const found = reachWarnings(before, after);
    expect(found).toHaveLength(expected.length);
    for (const [at, each] of expected.entries()) {
      if (typeof each === 'string') expect(found[at]).toBe(each);
      else expect(found[at]).toMatch(each);
    }
  });

  it('is said beside the rule, too', () => {
    const kill = 'Bash(docker kill {service})';
    expect(unfilledWarning(kill, 2, [WEB])).toBeNull();
    expect(unfilledWarning('Bash(docker ps)', 2, [])).toBeNull();
    expect(unfilledWarning(kill, 2, [service('web')])).toBe(
      'It allows nothing: no check of the type container names what it acts on.',
    );
  });

  it('is said once for all default rules', () => {
    const { allowedTools } = DEFAULT_CONFIG.tiers[1];
    expect(unfilledWarning(RESTART, 2, [])).toBeNull();
    expect(unfilledNotice(allowedTools, 2, [WEB])).toBe(
      'Default rules of systemctl, journalctl, ping, dig with {service} or {host} allow nothing: no check names what they act on.',
    );
    const all = service('all', ['container', 'c'], ['service', 's'], ['dns', 'h']);
    expect(unfilledNotice(allowedTools, 2, [all])).toBeNull();
  });
});
