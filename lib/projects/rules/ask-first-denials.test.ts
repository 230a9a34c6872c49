import { describe, expect, it } from 'vitest';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { askFirstDenials } from './ask-first-denials';
import { coversCommand, parseRule } from './rule';

const OPEN = ['Bash(docker:*)', 'Bash(kubectl:*)', 'Bash(systemctl:*)', 'Bash(mytool:*)'];

describe('[BND-4.1] a rule that asks first, where nothing can hold a command', () => {
  it.each([
    ['Bash(docker restart {service})', 'Bash(docker restart:*)'],
    ['Bash(docker restart [--time {int}] {service})', 'Bash(docker restart:*)'],
    ['Bash(docker restart -t {int} web)', 'Bash(docker restart:*)'],
    ['Bash(docker compose stop:*)', 'Bash(docker compose stop:*)'],
    ['Bash(kubectl rollout restart deployment/{word})', 'Bash(kubectl rollout restart:*)'],
    ['Bash(kubectl rollout restart deployment web)', 'Bash(kubectl rollout restart:*)'],
    ["Bash(systemctl restart 'web')", 'Bash(systemctl restart:*)'],
    ['Bash(mytool reload {path under ./conf})', 'Bash(mytool reload:*)'],
    ['Bash(docker {word} web)', 'Bash(docker:*)'],
    ['Bash(kubectl -n prod delete {word})', 'Bash(kubectl:*)'],
    ['Bash(docker)', 'Bash(docker:*)'],
  ])('%s denies %s', (rule, denial) => {
    expect(askFirstDenials([rule], OPEN, [])).toEqual([denial]);
  });

  it.each([
    'docker restart web',
    'docker restart -t 1 web',
    'docker restart --time 5 web',
    'docker restart db web',
    'docker  restart web',
  ])('%s matches the denial', (command) => {
    const rule = 'Bash(docker restart [--time {int}] {service})';
    const [denial = ''] = askFirstDenials([rule], OPEN, []);
    const parsed = parseRule(denial);
    expect(parsed && coversCommand(parsed, command)).toBe(true);
  });

  it('denies no more than its words where only single commands are allowed', () => {
    const allowed = [
      'Bash(docker restart {service})',
      'Bash(docker ps)',
      'Bash(kubectl:*)',
      'Read',
    ];
    expect(askFirstDenials(['Bash(docker restart web)'], allowed, [])).toEqual([
      'Bash(docker restart web:*)',
    ]);
  });

  it.each(['Bash', 'Bash(docker restart:*)', 'Bash(*restart*)', 'Bash(docker restart {word})'])(
    'denies the verb where %s is allowed',
    (allowed) => {
      expect(askFirstDenials(['Bash(docker restart web)'], [allowed], [])).toEqual([
        'Bash(docker restart:*)',
      ]);
    },
  );

  it('denies its other spellings where they are allowed one by one', () => {
    const services: ServiceSpec[] = [
      {
        name: 'web',
        checks: [{ type: 'service', target: 'web.service', timeoutSeconds: 5 }],
      },
      { name: 'api', checks: [] },
    ];
    const allowed = [
      'Bash(systemctl restart {service})',
      'Bash(kubectl rollout restart deployment/web)',
    ];
    expect(askFirstDenials(['Bash(systemctl restart web)'], allowed, services)).toEqual([
      'Bash(systemctl restart web:*)',
      'Bash(systemctl restart web.service:*)',
    ]);
    const rollout = 'Bash(kubectl rollout restart deployment web)';
    expect(askFirstDenials([rollout], allowed, services)).toEqual([
      'Bash(kubectl rollout restart deployment web:*)',
      'Bash(kubectl rollout restart deployment/web:*)',
    ]);
  });

  it('leaves a rule without a command as it is, and says each denial once', () => {
    expect(askFirstDenials(['Bash', 'Read(./**)'], OPEN, [])).toEqual(['Bash', 'Read(./**)']);
    const twins = ['Bash(docker stop web)', 'Bash(docker stop {service})'];
    expect(askFirstDenials(twins, OPEN, [])).toEqual(['Bash(docker stop:*)']);
  });
});
