/** The setting `isolation` of a tier, on hosts that can and can't confine. */
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

it('where it is preferred and missing, the agent starts and the log says that it isn’t confined', () =>
  withoutBubblewrap(async (PATH) => {
    const host = await startRunnerHost({ agent: AGENT, env: { PATH } });
    try {
      const attempt = await host.run({ start: { isolation: 'preferred' } });
      const events = attempt.events();
      expect(events).toContainEqual({
        kind: 'notice',
        level: 'warning',
        code: 'NOT_CONFINED',
        message: 'This agent isn’t confined. bubblewrap isn’t installed on the host.',
      });
      expect(events).toContainEqual(
        expect.objectContaining({ kind: 'command', confinement: 'none' }),
      );
      expect(attempt.results[0]?.exit).toEqual({ code: 0, signal: null });
    } finally {
      await host.close();
    }
  }));

it.skipIf(!canConfine)('preferred confines where the host can, and off never does', async () => {
  const host = await startRunnerHost({ agent: AGENT });
  try {
    for (const [isolation, cwd] of [
      ['preferred', '/project'],
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
