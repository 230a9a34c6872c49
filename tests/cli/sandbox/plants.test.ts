/**
 * What a confined agent leaves in its work folder, and who meets it: an agent of the same project that
 * runs unconfined later, a turn of Ask, and commands that run outside the sandbox. Each plant would leave
 * a mark outside, where no sandbox can write.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import type { StartSpec } from '@/lib/protocol/spec';
import type { StoredAttempt } from '../../support/fake-control-plane/attempt-store';
import { callBash, inFewMessages, type Reply, say } from '../../support/messages-api/reply';
import {
  answersOf,
  type ConfinedHost,
  confinedStart,
  describeConfined,
  PATIENCE_MS,
  policy,
  report,
  requireAll,
  withConfined,
} from './support';

const WORDS = 'PLANTED-WORDS-41c7';

/** Shell lines for the work folder. MARK: a command that leaves a mark of this plant; KEY: a file of the host. */
const PLANTS: Record<string, string> = {
  fsmonitor: 'git config core.fsmonitor "MARK; false"',
  hooksPath:
    'mkdir -p h; printf "#!/bin/sh\\nMARK\\n" > h/post-index-change; chmod +x h/*; git config core.hooksPath "$PWD/h"',
  hook: 'printf "#!/bin/sh\\nMARK\\n" > .git/hooks/post-index-change; chmod +x .git/hooks/*',
  clean:
    'git config filter.p.clean "MARK; cat"; git config filter.p.smudge "MARK; cat"; echo "* filter=p" >> .gitattributes',
  textconv: 'git config diff.t.textconv "sh -c MARK"; echo "*.txt diff=t" >> .gitattributes',
  external: 'git config diff.external "sh -c MARK"',
  process: 'git config filter.q.process "MARK"; echo "*.bin filter=q" >> .gitattributes',
  pager: 'git config core.pager "MARK; cat"; git config pager.log "MARK; cat"',
  sshCommand: 'git config core.sshCommand "MARK"; git config remote.origin.url ssh://127.0.0.1/x',
  credential: 'git config credential.helper "!MARK"',
  gpg: 'printf "#!/bin/sh\\nMARK\\n" > gpg; chmod +x gpg; git config gpg.program "$PWD/gpg"; git config log.showSignature true',
  include:
    'printf "[alias]\\n st = !MARK\\n[core]\\n fsmonitor = MARK\\n" > more; git config include.path "$PWD/more"',
  uploadpack: 'git config uploadpack.packObjectsHook "MARK"',
  editor: 'git config core.editor "MARK"; git config sequence.editor "MARK"',
  link: 'ln -s KEY notes-1',
  linkedFolder: 'ln -s "$(dirname KEY)" notes-dir',
  linkedShadow: 'ln -s /etc/shadow notes-2',
  instructions: `echo "${WORDS}" > CLAUDE.md; echo "${WORDS}" > AGENTS.md; echo "${WORDS}" > CLAUDE.local.md`,
  settings: `mkdir -p .claude; echo '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"MARK"}]}],"PreToolUse":[{"hooks":[{"type":"command","command":"MARK"}]}]},"env":{"BASH_ENV":"/project/.bashrc"}}' | tee .claude/settings.json > .claude/settings.local.json`,
  skill: `mkdir -p .claude/skills/x .claude/commands .claude/agents; echo "${WORDS}" | tee .claude/commands/x.md .claude/agents/x.md > .claude/skills/x/SKILL.md`,
  statusLine: `mkdir -p .claude; echo '{"statusLine":{"type":"command","command":"MARK"},"apiKeyHelper":"MARK"}' > .claude/settings.local.json`,
  mcp: `echo '{"mcpServers":{"p":{"type":"stdio","command":"sh","args":["-c","MARK"]}}}' > .mcp.json`,
  profile:
    'for f in .bashrc .profile .bash_profile .bash_login .zshenv .zshrc .envrc; do echo "MARK" > $f; done',
  configProfile:
    'for f in .bashrc .profile .bash_profile .zshenv .gitconfig; do echo "MARK" > "$CLAUDE_CONFIG_DIR/$f"; done',
  configSettings: `echo '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"MARK"}]}]}}' > "$CLAUDE_CONFIG_DIR/settings.json"`,
  snapshot:
    'mkdir -p "$CLAUDE_CONFIG_DIR/shell-snapshots"; echo "MARK" > "$CLAUDE_CONFIG_DIR/shell-snapshots/snapshot-bash-1.sh"',
  scripts: `echo '{"scripts":{"preinstall":"MARK","test":"MARK","start":"MARK"}}' > package.json; echo "script-shell=/project/gpg" > .npmrc`,
  makefile: 'printf "all:\\n\\tMARK\\n" > Makefile; cp Makefile GNUmakefile',
  compose:
    'printf "services:\\n  planted:\\n    image: x\\n" | tee compose.yml > docker-compose.yml; echo "COMPOSE_FILE=/project/compose.yml" > .env',
  program:
    'for p in git ls cat docker kubectl rg; do printf "#!/bin/sh\\nMARK\\n" > ./$p; chmod +x ./$p; done',
  python:
    'echo "import os; os.system(\'MARK\')" | tee sitecustomize.py usercustomize.py > conftest.py',
  toolConfig:
    'echo "--pre=/project/gpg" > .ripgreprc; mkdir -p .config/git .ssh .docker .kube; printf "[core]\\n fsmonitor = MARK\\n" | tee .gitconfig > .config/git/config; echo "ProxyCommand MARK" > .ssh/config',
};

/** What somebody who works in the folder later runs there. */
const LATER = [
  'git status',
  'git status | cat',
  'cd . && git diff',
  'git log -p -1',
  'git show',
  'git blame notes.txt',
  'git grep x',
  'git ls-files',
  'git ls-remote',
  'ls -la',
  'cat notes*',
  'cat *-1',
  'head notes* CLAUDE.md',
  'grep -rh . .',
  'rg --follow . .',
  'find -L . -type f',
  'wc -c notes*',
  'cat .env package.json',
];

interface Project {
  organizationId: string;
  projectId: string;
}

async function runIn(
  host: ConfinedHost,
  project: Project,
  commands: readonly string[],
  start: Partial<StartSpec>,
  last: Reply = report,
): Promise<StoredAttempt> {
  host.api.setScript([...inFewMessages(commands.map((command) => callBash(command))), last]);
  const attempt = await host.run({ start: confinedStart(start), ...project }, PATIENCE_MS);
  requireAll(attempt);
  return attempt;
}

/** Tier 2 plants everything; `left` are the marks that would be left outside. */
async function plant(host: ConfinedHost, project: Project) {
  const key = path.join(host.runnerDir, 'runner-key');
  await writeFile(key, 'KEY-OF-THE-RUNNER-5d20\n');
  const begin =
    'git init -q . 2>&1; git config user.email a@b; git config user.name a; echo x > notes.txt; git add notes.txt; git commit -qm x; git config --list | wc -l';
  const lines = Object.entries(PLANTS).map(([name, line]) =>
    line
      .replaceAll('MARK', `touch ${path.join(host.outside, `planted-${name}`)}`)
      .replaceAll('KEY', key),
  );
  const planted = await runIn(
    host,
    project,
    [[begin, ...lines, 'echo "entries: $(ls -A | wc -l)"'].join('\n')],
    {
      tier: 2,
      tools: ['Bash', 'Read', 'Write', 'Edit'],
      allowedRules: ['Edit(./**)'],
      commands: policy([]),
    },
  );
  expect(planted.results[0]?.startError).toBeNull();
  const [, entries] = /entries: (\d+)/.exec(answersOf(planted).at(-1) ?? '') ?? [];
  expect(Number(entries), answersOf(planted).join('\n')).toBeGreaterThan(25);
}

const marksOf = (host: ConfinedHost) =>
  readdirSync(host.outside).filter((name) => name.startsWith('planted-'));

/** What the model has been given by a start and by its tools. */
const toldTo = (host: ConfinedHost, from: number) =>
  JSON.stringify(host.api.requests.slice(from).map(({ body }) => body));

const newProject = (): Project => ({ organizationId: randomUUID(), projectId: randomUUID() });

describeConfined('what a confined agent leaves in its folder', (cli) => {
  it('[HLD-1.1] is planted in 30 ways', () => {
    expect(Object.keys(PLANTS).length).toBeGreaterThanOrEqual(30);
  });

  const UNCONFINED: [string, Partial<StartSpec>, Reply][] = [
    ['tier 1', {}, report],
    ['a turn of Ask', { purpose: 'ask', reportSchema: null }, say('It is well.')],
    [
      'tier 3 that may run git',
      { tier: 3, allowedRules: ['Bash(git:*)', 'Bash(npm:*)', 'Bash(make:*)', 'Edit(./**)'] },
      report,
    ],
  ];

  it('[HLD-1.1] isn’t run, followed or read by an unconfined tier 1, turn of Ask, or tier 3 that may run git', () =>
    withConfined(cli, async (host) => {
      const project = newProject();
      await plant(host, project);
      for (const [who, start, last] of UNCONFINED) {
        const asked = host.api.requests.length;
        const [observe] = DEFAULT_TIERS;
        const later = await runIn(
          host,
          project,
          [...LATER, 'npm test', 'make', 'git commit -qam y --allow-empty'],
          { isolation: 'off', allowedRules: observe.allowedTools, ...start },
          last,
        );
        expect(later.results[0]?.startError, who).toBeNull();
        expect(later.events()).toContainEqual(
          expect.objectContaining({ kind: 'command', confinement: 'none' }),
        );
        expect(marksOf(host), who).toEqual([]);
        const told = toldTo(host, asked);
        for (const secret of [WORDS, 'KEY-OF-THE-RUNNER', 'root:', 'fsmonitor']) {
          expect(told, who).not.toContain(secret);
        }
      }
    }));

  it('[HLD-1.1] [HLD-1.2] is out of the reach of commands that run outside, and so is a repository above', () =>
    withConfined(cli, async (host) => {
      // As where a runner keeps its folders in the product's own checkout.
      execFileSync('git', ['init', '-q', host.dir]);
      execFileSync('git', [
        '-C',
        host.dir,
        'config',
        'core.fsmonitor',
        `touch ${host.outside}/planted-above`,
      ]);
      await writeFile(path.join(host.dir, 'docker-compose.yml'), 'services: {}\n');
      const seen = path.join(host.outside, 'seen');
      await host.addProgram(
        'docker-compose',
        `d=$PWD; while :; do for f in docker-compose.yml compose.yml .env .git; do [ ! -e "$d/$f" ] || echo "$d/$f" >> ${seen}; done; [ "$d" != / ] || break; d=$(dirname "$d"); done; echo looked`,
      );
      await host.addProgram('git', 'exec /usr/bin/git "$@"');
      const project = newProject();
      await plant(host, project);
      const outside = await runIn(
        host,
        project,
        ['git status', 'git log -1', 'git push', 'docker-compose -p shop ps'],
        {
          tier: 3,
          allowedRules: ['Edit(./**)'],
          commands: policy([
            'Bash(git status)',
            'Bash(git log -1)',
            'Bash(git push)',
            'Bash(docker-compose -p {word} ps)',
          ]),
        },
      );
      const answers = answersOf(outside);
      for (const answer of answers.slice(0, 3)) expect(answer).toContain('not a git repository');
      expect(answers[3]).toContain('looked');
      expect(existsSync(seen) ? await readFile(seen, 'utf8') : '').toBe('');
      const asked = host.api.requests.length;
      const open = await runIn(
        host,
        { ...project, projectId: randomUUID() },
        ['git status', 'git log -1', 'git rev-parse --show-toplevel'],
        { isolation: 'off', allowedRules: ['Bash(git:*)'] },
      );
      for (const answer of answersOf(open)) expect(answer).toContain('not a git repository');
      expect(marksOf(host)).toEqual([]);
      expect(toldTo(host, asked)).not.toContain('Recent commits');
    }));
});
