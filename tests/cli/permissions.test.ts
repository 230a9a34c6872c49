import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { expandDenials } from '@/lib/projects/rules/placeholders';
import type { HarnessEvent } from '@/lib/protocol/events';
import type { StartSpec, Tier } from '@/lib/protocol/spec';
import { callBash, callTool, inFewMessages, reportBack } from '../support/messages-api/reply';
import { resumeOf, tierStart } from './support/cli-host';
import { describeEachCli } from './support/describe-cli';

const report = reportBack({ summary: 'done' });

/** `ran` or `denied`, per call. */
function outcomes(events: HarnessEvent[]): string[] {
  return events
    .filter((event) => event.kind === 'tool_result')
    .slice(0, -1)
    .map((result) => (result.denied ? 'denied' : result.isError ? result.content : 'ran'));
}

describeEachCli('permissions', (withBench) => {
  it('[HLD-3.5] a rule that the CLI can’t read takes no other one with it, and a star denies every name', () => {
    const odd = [
      ...['--dangerously-skip-permissions', 'Bash(docker ps:* -a)', 'Bash(docker [-t {int}] web)'],
      ...['bash(docker ps)', 'mcp__x(y)', 'Read(', '(x)', 'Edit()', 'NoTool(x)', 'x'.repeat(300)],
      ...[
        'Bash(*docker* {word})',
        'WebFetch(http://x)',
        'Bash(docker ps --format {{.Names}})',
        ' ',
      ],
    ];
    const commands = ['docker ps -a', 'docker restart web', 'docker stop web', 'touch made'];
    const calls = commands.map((command) => callBash(command));
    return withBench([...calls, report], async ({ host, run }) => {
      await host.addProgram('docker');
      const allowedRules = [...odd, 'Bash(docker:*)'];
      const disallowedRules = [...odd, ...expandDenials(['Bash(docker restart {service})'])];
      const { events } = await run(tierStart(2, { allowedRules, disallowedRules }));
      expect(outcomes(events)).toEqual(['ran', 'denied', 'ran', 'denied']);
    });
  });

  const DEFAULTS: [Tier, Record<string, string>][] = [
    [
      1,
      {
        'docker ps': 'ran',
        'docker logs web': 'ran',
        'docker inspect web': 'ran',
        'systemctl status nginx': 'ran',
        'docker restart web': 'denied',
        'docker container restart web': 'denied',
        'sh -c "docker restart web"': 'denied',
        'docker ps && docker restart web': 'denied',
        'gh pr create --title fix': 'denied',
        'ansible-playbook site.yml': 'denied',
        'curl -X POST http://127.0.0.1:1/': 'denied',
        'touch made-by-tier-1': 'denied',
      },
    ],
    [
      2,
      {
        'docker restart web': 'ran',
        'docker compose restart web': 'denied',
        'docker restart shop': 'denied',
        'docker restart nginx': 'denied',
        'systemctl restart web': 'denied',
        'systemctl restart shop': 'denied',
        'systemctl restart nginx': 'ran',
        'gh pr create --fill': 'ran',
        'gh pr create --title fix': 'denied',
        'ansible-playbook site.yml': 'denied',
        'ansible all -m ping': 'denied',
        'helm upgrade web chart': 'denied',
        'docker compose down': 'denied',
        'gh pr merge 1': 'denied',
        'git push --force': 'denied',
      },
    ],
    [
      3,
      {
        'ansible-playbook site.yml': 'ran',
        'helm upgrade web chart': 'ran',
        'docker compose down': 'ran',
        'gh pr merge 1': 'denied',
        'docker system prune -af': 'denied',
        'git push --force origin main': 'denied',
      },
    ],
  ];

  it('[RES-6.3] [RES-6.1] [RES-6.2] the default list of each tier, with what tier 1 was denied allowed after the resume', () =>
    withBench([], async ({ api, host, run }) => {
      const tools = ['docker', 'systemctl', 'gh', 'ansible', 'ansible-playbook', 'helm', 'git'];
      for (const name of tools) await host.addProgram(name);
      let before: StartSpec | null = null;
      for (const [tier, expected] of DEFAULTS) {
        const commands = Object.keys(expected);
        api.setScript([...inFewMessages(commands.map((command) => callBash(command))), report]);
        const spec = tierStart(tier, before ? { continuation: resumeOf(before) } : {});
        const { events, results } = await run(spec);
        const ended = outcomes(events).map((outcome, at) => [commands[at], outcome]);
        expect(Object.fromEntries(ended), `tier ${tier}`).toEqual(expected);
        const denied = Object.values(expected).filter((outcome) => outcome === 'denied');
        expect(results.at(-1)?.permissionDenials).toHaveLength(denied.length);
        before = spec;
      }
    }));

  it('[RES-6.3] Write and Edit are gained in tier 2, inside the work directory', () => {
    const write = (file: string) => callTool('Write', { file_path: file, content: 'x' });
    return withBench([report], async ({ api, host, run }) => {
      const inside = path.join(host.layout.workDir, 'fix.txt');
      const edit = callTool('Edit', { file_path: inside, old_string: 'x', new_string: 'fixed' });
      api.setScript([write(inside), report]);
      const one = tierStart(1);
      // Tier 1 does not even have the tool.
      expect(outcomes((await run(one)).events)).toEqual(['denied']);
      // The CLI's own notes, which a later cycle would read.
      const notes = path.join(
        ...[
          host.layout.configDir,
          'projects',
          host.layout.workDir.replaceAll(/[^A-Za-z0-9]/g, '-'),
        ],
        ...['memory', 'MEMORY.md'],
      );
      const outside = path.join(host.root, 'outside.txt');
      api.setScript([write(inside), edit, write(outside), write(notes), report]);
      const second = await run(tierStart(2, { continuation: resumeOf(one) }));
      expect(outcomes(second.events)).toEqual(['ran', 'ran', 'denied', 'denied']);
      expect(await readFile(inside, 'utf8')).toBe('fixed');
    });
  });

  it('[HND-1.4] in handoff mode tier 1 can write handoff.json, and nothing else', () =>
    withBench([report], async ({ api, host, run }) => {
      const handoff = path.join(host.layout.stateDir, 'handoff.json');
      const others = [
        path.join(host.layout.stateDir, 'other.json'),
        path.join(host.layout.workDir, 'handoff.json'),
      ];
      const write = (file: string) => callTool('Write', { file_path: file, content: '{"a":1}' });
      // Without the rule the call is refused, although the tool is there.
      api.setScript([write(handoff), report]);
      const withTool = tierStart(1, { tools: [...tierStart(1).tools, 'Write'] });
      expect(outcomes((await run(withTool)).events)).toEqual(['denied']);
      api.setScript([write(handoff), ...others.map(write), report]);
      const inHandoffMode = tierStart(1, { writesHandoffFile: true });
      expect(outcomes((await run(inHandoffMode)).events)).toEqual(['ran', 'denied', 'denied']);
      expect(await readFile(handoff, 'utf8')).toBe('{"a":1}');
    }));
});
