import { expect, it } from 'vitest';
import { defaultRules } from '../default-rules';
import { DEFAULT_TIERS } from '../default-tiers';
import { askFirstScope, brokeredWarning } from './brokered-warning';

it.each<[string, RegExp | null]>([
  ['Bash(docker restart {service})', null],
  ['Bash(docker ps:*)', null],
  ['Read(//var/log/**)', null],
  ['Edit(./**)', null],
  ['Bash(mytool run)', null],
  ['Bash(mytool run:*)', /doesn’t know the options of mytool/],
  ['Bash(cat:*)', /^cat stays in the sandbox/],
  ['Bash', /allows no command outside/],
  ['Bash(docker * web)', /Use \{word\}/],
  ['Bash(docker exec:*)', /`docker exec` runs any program inside of the container/],
  ['Bash(docker compose restart web)', /Name the project, such as/],
  ['Bash(docker compose logs:*)', /Name the project, such as/],
  ['Bash(docker compose -p shop restart web)', null],
  ['Bash(docker compose --project-name=shop restart web)', null],
  ['Bash(docker compose ls [-a])', null],
  ['Bash(git push -u origin fix)', /empty folder/],
  ['Bash(gh pr create --fill)', /gh pr list -R acme\/shop/],
  ['Bash(gh pr list -R acme/shop)', null],
  ['Bash(docker:*)', /`docker inspect` shows the environment/],
])('%s', (rule, expected) => {
  const warning = brokeredWarning(rule);
  if (expected === null) expect(warning).toBeNull();
  else expect(warning).toMatch(expected);
});

it('no default rule of tiers 1 and 2 is without effect in a sandbox', () => {
  const [one, two] = DEFAULT_TIERS;
  const dead = [...one.allowedTools, ...two.allowedTools].filter((rule) =>
    /allows no|allows nothing/.test(brokeredWarning(rule) ?? ''),
  );
  expect(dead).toEqual([]);
});

it('the default rules for a sandbox warn of nothing but what tier 3 is for', () => {
  const warned = ([1, 2, 3] as const).flatMap((tier) =>
    defaultRules(tier, 'confined').allowedTools.filter((rule) => brokeredWarning(rule) !== null),
  );
  expect(warned).toEqual(['Bash(docker exec {service}:*)']);
});

it.each<[string, string | null]>([
  [
    'Bash(docker compose)',
    'Every `docker compose` command that a rule allows waits for approval, even one that only reads, such as `docker compose ls`. Name a verb and its operands to ask about less.',
  ],
  ['Bash(docker compose:*)', 'Every `docker compose` command'],
  ['Bash(docker)', 'Every `docker` command'],
  ['Bash(kubectl rollout:*)', 'such as `kubectl rollout status`'],
  [
    'Bash(docker restart)',
    'Every `docker restart` command that a rule allows waits for approval: it',
  ],
  ['Bash(docker restart [--time {int}])', 'Every `docker restart` command'],
  // The rule itself says so.
  ['Bash(docker restart:*)', null],
  ['Bash(journalctl:*)', null],
  ['Bash(docker restart {service})', null],
  ['Bash(docker compose -p shop restart web)', null],
  ['Bash(docker restart web)', null],
  ['Bash(kubectl -n prod delete {word})', null],
  ['Bash(reboot)', null],
  ['Bash', null],
  ['Read(./**)', null],
])('[BND-4.1] %s in the list of rules that ask first: %s', (rule, expected) => {
  if (expected === null) expect(askFirstScope(rule)).toBeNull();
  else expect(askFirstScope(rule)).toContain(expected);
});
