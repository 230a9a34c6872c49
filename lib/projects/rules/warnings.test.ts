import { describe, expect, it } from 'vitest';
import { DEFAULT_TIERS } from '../default-tiers';
import { gained, isLockedTool, refusalsStandAlone, ruleWarning } from './warnings';

describe('a rule that is wider than it looks', () => {
  it.each([
    ['Bash', /run anything on the host/],
    ['Bash(*)', /run anything on the host/],
    ['Bash(:*)', /run anything on the host/],
    ['Bash(bash:*)', /as wide as Bash/],
    ['Bash(/usr/bin/python3:*)', /as wide as Bash/],
    ['Bash(sudo *)', /as wide as Bash/],
    ['Bash(ansible:*)', /anything ansible can/],
    ['Bash(ssh db-1:*)', /anything ssh can/],
    ['Bash(docker exec:*)', /any command inside/],
    ['Write', /any file on the host/],
    ['Edit(*)', /any file on the host/],
    ['Read', /including keys/],
  ])('%s is warned about', (rule, words) => {
    expect(ruleWarning(rule)).toMatch(words);
  });

  it.each([
    'Bash(docker restart:*)',
    'Bash(docker restart payments-db)',
    'Bash(python3 /opt/check.py)',
    'Bash(ansible-playbook:*)',
    'Edit(./**)',
    'Read(//var/log/**)',
    'Grep',
  ])('%s is not', (rule) => {
    expect(ruleWarning(rule)).toBeNull();
  });
});

it('locks the tools that start sub-agents below tier 3', () => {
  expect([isLockedTool(1, 'Task'), isLockedTool(2, 'Agent'), isLockedTool(3, 'Task')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isLockedTool(1, 'Bash')).toBe(false);
});

it.each([
  ['Bash(dig:*)', 'reads any file'],
  ['Bash(kubectl get:*)', 'another cluster'],
  ['Bash(journalctl -u:*)', 'deletes logs'],
  ['Bash(systemctl status:*)', 'other hosts'],
  ['Bash(systemctl restart:*)', 'reboot.target'],
  ['Bash(git commit:*)', 'runs hooks'],
  ['Bash(git push -u origin:*)', 'runs any program'],
  ['Bash(gh pr create:*)', 'sends any file'],
  ['Bash(docker compose up -d:*)', 'compose file'],
  ['Bash(docker compose:*)', 'compose file'],
])('[ENG-5.4] %s is warned about: it %s', (rule, words) => {
  expect(ruleWarning(rule)).toContain(words);
});

it('[ENG-5.4] no default rule of tiers 1 and 2 is warned about', () => {
  const rules = DEFAULT_TIERS.slice(0, 2).flatMap((tier) => tier.allowedTools);
  expect(rules.flatMap((rule) => ruleWarning(rule) ?? [])).toEqual([]);
});

it('says when only denied rules prevent it', () => {
  expect(refusalsStandAlone(['Bash'], ['Bash(helm:*)'])).toBe(true);
  expect(refusalsStandAlone(['Bash(docker ps:*)'], ['Bash(helm:*)'])).toBe(false);
  expect(refusalsStandAlone(['Bash'], [])).toBe(false);
});

it('lists what tier 2 gains over tier 1', () => {
  const { tools, rules } = gained(DEFAULT_TIERS[1], DEFAULT_TIERS[0]);
  expect(tools).toEqual(['Write', 'Edit']);
  expect(rules).toContain('Bash(docker restart {service})');
  expect(rules).not.toContain('Bash(docker ps:*)');
});
