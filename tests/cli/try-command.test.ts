/**
 * "Try a command" says what the real CLI does, for both versions. Left out is what they differ in:
 * whether a refusal looks into $(…) where Bash is allowed as a whole.
 */
import { expect, it } from 'vitest';
import { askFirstDenials } from '@/lib/projects/rules/ask-first-denials';
import { type RuleLists, tryCommand } from '@/lib/projects/rules/try-command';
import type { HarnessEvent } from '@/lib/protocol/events';
import { callBash, reportBack } from '../support/messages-api/reply';
import { tierStart } from './support/cli-host';
import { describeCli } from './support/describe-cli';

const COMMANDS = [
  ...['docker ps -a', 'docker  ps', 'docker psx', 'docker restart web', 'docker restart web -t 5'],
  ...['docker restart -t 1 web', 'docker restart --time 5 web'],
  ...['docker ps && docker restart web', 'docker ps && git push', 'docker ps | cat', 'git pull'],
  ...['git push --force', 'env docker ps', 'FOO=1 docker ps', 'sh -c "docker ps"', 'echo hi > f'],
  ...['timeout 5 docker ps', 'docker ps $(date)', '(docker ps)', 'helm ls', 'ls'],
  ...['docker container restart web', 'echo web | xargs docker restart', 'cat /etc/hostname'],
  ...['docker ps 2>&1 | tail -1', 'docker ps >/dev/null 2>&1', 'docker restart web 2>&1'],
  ...['ls 2>/dev/null', 'docker ps 2> err.txt', 'docker ps | tee x.txt', 'echo a\\;b'],
  ...['sort -o f a.txt', 'git log --output=f -1', 'hostname -F /nonexistent', 'date -s never'],
  ...['docker ps | cut -c1-12', "sed -n '/x/p' a.txt", 'find . {-delete,-print}', 'ls $NOPE'],
];

const LISTS: RuleLists[] = [
  {
    tools: ['Bash'],
    allowedTools: ['Bash(docker ps:*)', 'Bash(docker restart web)', 'Bash(git:*)'],
    disallowedTools: ['Bash(git push --force:*)', 'Bash(helm:*)'],
  },
  {
    tools: ['Bash'],
    allowedTools: ['Bash'],
    disallowedTools: ['Bash(docker restart:*)', 'Bash(git push:*)'],
  },
  {
    tools: ['Bash'],
    allowedTools: ['Bash(docker:*)'],
    disallowedTools: [],
    askFirstTools: ['Bash(docker restart [--time {int}] {service})'],
  },
];

function ran(events: readonly HarnessEvent[]): boolean[] {
  return events
    .filter((event) => event.kind === 'tool_result')
    .slice(0, -1)
    .map((result) => !result.denied);
}

describeCli('a tried command', (withBench) => {
  it.each(LISTS)('[RES-6.3] runs where the prediction says so: $allowedTools', (lists) =>
    withBench(
      [...COMMANDS.map((command) => callBash(command)), reportBack({ summary: 'done' })],
      async ({ host, run }) => {
        for (const name of ['docker', 'git', 'helm']) await host.addProgram(name);
        const { events } = await run(
          tierStart(1, {
            tools: [...lists.tools],
            allowedRules: [...lists.allowedTools],
            disallowedRules: [
              ...lists.disallowedTools,
              ...askFirstDenials(lists.askFirstTools ?? [], lists.allowedTools, []),
            ],
          }),
        );
        const predicted = COMMANDS.map((command) => [
          command,
          tryCommand(lists, command).verdict === 'allowed',
        ]);
        const outcomes = ran(events);
        const wrong = predicted.filter(([, isRun], at) => isRun !== outcomes[at]);
        expect(wrong).toEqual([]);
      },
    ),
  );
});
