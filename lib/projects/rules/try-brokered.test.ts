import { describe, expect, it } from 'vitest';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { tryBrokered } from './try-brokered';

const SERVICES: ServiceSpec[] = [
  {
    name: 'shop',
    checks: [
      { type: 'container', target: 'web', timeoutSeconds: 5 },
      { type: 'container', target: 'nginx', timeoutSeconds: 5 },
      { type: 'service', target: 'cron', timeoutSeconds: 5 },
    ],
  },
];
const RULES = {
  tools: ['Bash'],
  allowedTools: [
    'Bash(docker restart {service})',
    'Bash(docker ps:*)',
    'Bash(kubectl apply -f {path under .})',
    'Bash(cat:*)',
    'Read',
  ],
  disallowedTools: ['Bash(helm:*)'],
  askFirstTools: [],
};

const verdicts = (line: string) =>
  tryBrokered(RULES, line, SERVICES).map(({ argv, verdict }) => `${verdict} ${argv.join(' ')}`);

describe('a line of a confined agent', () => {
  it.each<[string, string[]]>([
    ['docker restart web', ['allowed docker restart web']],
    ['docker restart nginx', ['allowed docker restart nginx']],
    ['docker restart db', ['refused docker restart db']],
    ['docker restart shop', ['refused docker restart shop']],
    ['docker restart cron', ['refused docker restart cron']],
    ['docker restart web --signal KILL', ['refused docker restart web --signal KILL']],
    ['bash -c "docker restart db"', ['refused docker restart db']],
    ['/usr/bin/docker ps -a', ['allowed docker ps -a']],
    [
      'docker ps | grep web && docker restart web',
      ['allowed docker ps', 'inside grep web', 'allowed docker restart web'],
    ],
    ['kubectl apply -f deploy/web.yaml', ['allowed kubectl apply -f deploy/web.yaml']],
    ['kubectl apply -f ../other.yaml', ['refused kubectl apply -f ../other.yaml']],
    ['helm ls', ['refused helm ls']],
    ['cat notes.txt', ['inside cat notes.txt']],
    ['terraform plan', ['inside terraform plan']],
    [
      'for name in a; do docker ps; done; if docker ps; then uptime; fi',
      ['allowed docker ps', 'allowed docker ps', 'inside uptime'],
    ],
    ['', []],
  ])('%s', (line, expected) => {
    expect(verdicts(line)).toEqual(expected);
  });

  it('names the rule, or why none applies', () => {
    expect(tryBrokered(RULES, 'docker restart web; docker restart db', SERVICES)).toMatchObject([
      { why: 'Bash(docker restart {service}) allows it outside the sandbox.', changes: true },
      { why: 'Bash(docker restart {service}) doesn’t allow the argument `db`.' },
    ]);
    expect(tryBrokered(RULES, 'docker ps', SERVICES)).toMatchObject([{ changes: false }]);
  });

  it('waits for approval by a rule that asks first, even if another rule allows it', () => {
    const asking = { ...RULES, askFirstTools: ['Bash(docker restart web)', 'Bash(reboot)'] };
    const [web, nginx, reboot] = tryBrokered(
      asking,
      'docker restart web && docker restart nginx; reboot',
      SERVICES,
    );
    expect(web).toMatchObject({ rule: 'Bash(docker restart web)', needsApproval: true });
    expect(nginx).toMatchObject({ rule: 'Bash(docker restart {service})', needsApproval: false });
    expect(reboot).toMatchObject({ verdict: 'allowed', rule: 'Bash(reboot)', needsApproval: true });
  });

  it('[BND-5.1] waits for approval in another spelling of the operand, too', () => {
    const asking = {
      ...RULES,
      allowedTools: ['Bash(systemctl restart {word})'],
      askFirstTools: ['Bash(systemctl restart web)'],
    };
    const line = 'systemctl restart web.service; systemctl restart nginx';
    expect(tryBrokered(asking, line, SERVICES)).toMatchObject([
      { rule: 'Bash(systemctl restart web)', needsApproval: true },
      { rule: 'Bash(systemctl restart {word})', needsApproval: false },
    ]);
  });

  it('says what can’t be known before it runs', () => {
    const [trial] = tryBrokered(RULES, 'echo db | xargs docker restart', SERVICES).filter(
      ({ argv }) => argv[0] === 'docker',
    );
    expect(trial?.verdict).toBe('refused');
    expect(trial?.why).toContain('known only when the line runs');
  });
});
