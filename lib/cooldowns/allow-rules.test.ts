import { describe, expect, it } from 'vitest';
import { withoutExhausted } from './allow-rules';
import type { NamedService } from './service-names';

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
    ['Bash(docker:*)', ['Bash(docker:*)']],
    ['Bash(helm upgrade:*)', ['Bash(helm upgrade:*)']],
    ['Read', ['Read']],
    ['mcp__tierwatch__check', ['mcp__tierwatch__check']],
    ['Edit(//srv/web)', ['Edit(//srv/web)']],
  ])('%s becomes %j', (rule, expected) => {
    expect(withoutExhausted([rule], web, known)).toEqual(expected);
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
