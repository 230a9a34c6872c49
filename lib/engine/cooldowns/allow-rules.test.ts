import { describe, expect, it } from 'vitest';
import type { NamedService } from '@/lib/projects/service-names';
import { withoutExhausted } from './allow-rules';

const COMPOSE_READS = ['ls', 'ps', 'logs', 'top', 'images'];

describe('withoutExhausted', () => {
  const web = [{ service: 'web', action: 'restart' as const }];
  const known: NamedService[] = ['web', 'api', { name: 'mail', aliases: ['postfix'] }];

  it.each<[string, string[]]>([
    ['Bash(docker restart web)', []],
    ['Bash(docker restart web:*)', []],
    ['Bash(docker restart api)', ['Bash(docker restart api)']],
    [
      'Bash(docker restart:*)',
      ['Bash(docker restart api)', 'Bash(docker restart mail)', 'Bash(docker restart postfix)'],
    ],
    [
      'Bash(democtl restart *)',
      ['Bash(democtl restart api)', 'Bash(democtl restart mail)', 'Bash(democtl restart postfix)'],
    ],
    ['Bash(*docker*restart*)', []],
    ['Bash(sudo systemctl restart web.service)', []],
    ['Bash(docker ps:*)', ['Bash(docker ps:*)']],
    ['Bash(docker compose ps:*)', ['Bash(docker compose ps:*)']],
    ['Bash(docker compose:*)', COMPOSE_READS.map((verb) => `Bash(docker compose ${verb}:*)`)],
    ['Bash(docker compose *)', COMPOSE_READS.map((verb) => `Bash(docker compose ${verb}:*)`)],
    [
      'Bash(docker compose -f prod.yml:*)',
      COMPOSE_READS.map((verb) => `Bash(docker compose -f prod.yml ${verb}:*)`),
    ],
    ['Bash(docker-compose:*)', COMPOSE_READS.map((verb) => `Bash(docker-compose ${verb}:*)`)],
    [
      'Bash(docker compose up -d:*)',
      ['api', 'mail', 'postfix'].map((name) => `Bash(docker compose up -d --no-deps ${name})`),
    ],
    ['Bash(docker compose restart)', []],
    ['Bash(docker compose down)', []],
    [
      'Bash(docker:*)',
      [
        ...['ps', 'logs', 'inspect', 'images', 'stats', 'port', 'version', 'diff'].map(
          (verb) => `Bash(docker ${verb}:*)`,
        ),
        ...COMPOSE_READS.map((verb) => `Bash(docker compose ${verb}:*)`),
      ],
    ],
    [
      'Bash(sudo systemctl:*)',
      [
        ...['status', 'is-active', 'is-failed', 'is-enabled', 'show', 'cat', 'list-units'],
        ...['list-unit-files', 'list-timers'],
      ].map((verb) => `Bash(sudo systemctl ${verb}:*)`),
    ],
    [
      'Bash(kubectl rollout:*)',
      ['status', 'history'].map((verb) => `Bash(kubectl rollout ${verb}:*)`),
    ],
    ['Bash(ansible:*)', []],
    ['Bash(docker * web)', []],
    ['Bash(docker * other)', ['Bash(docker * other)']],
    ['Bash(helm upgrade:*)', ['Bash(helm upgrade:*)']],
    ['Bash(helm:*)', ['Bash(helm:*)']],
    ['Bash(docker exec:*)', ['Bash(docker exec:*)']],
    ['Bash', ['Bash']],
    ['Read', ['Read']],
    ['mcp__tierwatch__check', ['mcp__tierwatch__check']],
    ['Edit(//srv/web)', ['Edit(//srv/web)']],
  ])('%s becomes %j', (rule, expected) => {
    expect(withoutExhausted([rule], web, known)).toEqual(expected);
  });

  it('allows starting with compose and refuses rebuilding where only redeploying is used up', () => {
    const redeploy = [{ service: 'web', action: 'redeploy' as const }];
    expect(withoutExhausted(['Bash(docker compose up -d:*)'], redeploy, ['web', 'api'])).toEqual([
      'Bash(docker compose up -d --no-deps web)',
      'Bash(docker compose up -d --no-deps api)',
    ]);
  });

  it('leaves every rule as it is while nothing is exhausted', () => {
    const allowed = ['Bash(docker restart:*)', 'Bash(docker restart web)'];
    expect(withoutExhausted(allowed, [], known)).toEqual(allowed);
  });

  it('leaves out the rule for all when all are exhausted', () => {
    const all = ['web', 'api', 'mail'].map((service) => ({ service, action: 'restart' as const }));
    expect(withoutExhausted(['Bash(docker restart:*)'], all, known)).toEqual([]);
  });
});
