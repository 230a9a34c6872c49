/** How starts of confined and open projects run, on hosts that can and can't confine. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { canConfine } from '../../support/confinement';
import { startRunnerHost } from '../../support/fake-control-plane/runner-host';

/** A PATH with what the agent's script needs, and without bubblewrap. */
async function withoutBubblewrap(use: (PATH: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tw-path-'));
  try {
    await use(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

const AGENT = "init(); text('cwd ' + process.cwd()); transcript(); result();";

it('where isolation is required and missing, nothing starts and the reason is told', () =>
  withoutBubblewrap(async (PATH) => {
    const host = await startRunnerHost({ agent: AGENT, env: { PATH } });
    try {
      const attempt = await host.run({ start: { isolation: 'required' } });
      expect(attempt.events()).toEqual([]);
      expect(attempt.results).toMatchObject([
        {
          startedAt: null,
          startError: {
            code: 'not_confined',
            message: 'bubblewrap isn’t installed on the host.',
          },
        },
      ]);
    } finally {
      await host.close();
    }
  }));

it.skipIf(!canConfine)('[HLD-1.1] each kind of agent has a work folder of its own', async () => {
  const host = await startRunnerHost({ agent: AGENT });
  try {
    for (const [isolation, cwd] of [
      ['required', '/project'],
      ['off', host.runnerDir],
    ] as const) {
      const attempt = await host.run({ start: { isolation } });
      expect(attempt.results[0]?.stderrTail).toBe('');
      expect(attempt.events()).toContainEqual(
        expect.objectContaining({ kind: 'text', text: expect.stringContaining(`cwd ${cwd}`) }),
      );
    }
  } finally {
    await host.close();
  }
});

/** Says what is in its work folder, and leaves a file and a conversation there. */
const LEAVES = `init(); text('found ' + fs.readdirSync('.').join()); fs.writeFileSync(flag('--session-id'), ''); transcript(); result();`;

const PROJECT = {
  organizationId: '0199c6a0-0000-7000-8000-000000000001',
  projectId: '0199c6a0-0000-7000-8000-000000000002',
};

it.skipIf(!canConfine)(
  '[HLD-1.1] a project’s folders start empty after its isolation was changed',
  async () => {
    const host = await startRunnerHost({ agent: LEAVES });
    const found = async (isolation: 'required' | 'off') => {
      const attempt = await host.run({
        start: { isolation, allowedRules: ['Edit(./**)'] },
        ...PROJECT,
      });
      const said = attempt.events().find((event) => event.kind === 'text');
      return said?.kind === 'text'
        ? said.text.replace('found ', '').split(',').filter(Boolean).length
        : -1;
    };
    try {
      expect(await found('required')).toBe(0);
      expect(await found('required')).toBe(1);
      expect(await found('off')).toBe(0);
      expect(await found('off')).toBe(1);
      expect(await found('required')).toBe(0);
      expect(await found('off')).toBe(0);
      const project = path.join(host.runnerDir, 'projects', ...Object.values(PROJECT));
      const conversations = (config: string) =>
        readdirSync(path.join(project, config, 'projects'), { recursive: true }).filter((name) =>
          String(name).endsWith('.jsonl'),
        );
      expect(conversations('open/config')).toHaveLength(1);
      expect(conversations('config')).toHaveLength(1);
    } finally {
      await host.close();
    }
  },
);

it.each([
  ['required', 'found older'],
  ['off', 'found '],
] as const)(
  '[HLD-1.1] what an earlier runner left is met by confined agents alone: %s',
  async (isolation, said) => {
    if (isolation === 'required' && !canConfine) return;
    const host = await startRunnerHost({
      agent: "init(); text('found ' + fs.readdirSync('.')); result();",
    });
    const work = path.join(host.runnerDir, 'projects', ...Object.values(PROJECT), 'work');
    mkdirSync(work, { recursive: true });
    writeFileSync(path.join(work, 'older'), '');
    try {
      const attempt = await host.run({ start: { isolation }, ...PROJECT });
      expect(attempt.events()).toContainEqual(
        expect.objectContaining({ kind: 'text', text: said }),
      );
      expect(existsSync(path.join(work, 'older'))).toBe(true);
    } finally {
      await host.close();
    }
  },
);

it.skipIf(!canConfine)(
  '[BND-1.2] no rule shows the folders that the runner is to hide',
  async () => {
    // Not below /tmp, which every sandbox has for itself.
    const shown = await mkdtemp('/var/tmp/tw-shown-');
    mkdirSync(path.join(shown, 'data'));
    writeFileSync(path.join(shown, 'data', 'secret-key'), '');
    writeFileSync(path.join(shown, 'log'), '');
    const found = `fs.readdirSync('${shown}', { recursive: true }).toSorted().join()`;
    const host = await startRunnerHost({
      agent: `init(); text('found ' + ${found}); result();`,
      env: { TIERWATCH_RUNNER_HIDE: path.join(shown, 'data') },
    });
    try {
      const attempt = await host.run({
        start: { isolation: 'required', allowedRules: [`Read(/${shown}/**)`] },
      });
      expect(attempt.events()).toContainEqual(
        expect.objectContaining({ kind: 'text', text: 'found data,log' }),
      );
    } finally {
      await host.close();
      await rm(shown, { recursive: true });
    }
  },
);
