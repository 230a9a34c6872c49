/** The canary with the real CLI: what it proves, and that it notices a CLI whose rules don't hold. */
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENTS } from '@/lib/agents/registry';
import { CANARY_MODES } from '@/lib/protocol/canary';
import { findAgents } from '@/workers/runner/attempt/agents';
import { runCanary } from '@/workers/runner/canary/run-canary';
import { parseRunnerEnv } from '@/workers/runner/env';
import { openSandboxHost } from '@/workers/runner/sandbox/sandbox-host';
import { canConfine } from '../support/confinement';
import { root } from '../support/fake-control-plane/runner-host';
import { everyCli } from './support/clis';

/** A proxy that answers nothing. */
const DEAD = 'http://127.0.0.1:9';

const modes = CANARY_MODES.filter((mode) => mode === 'open' || canConfine);

for (const cli of everyCli()) {
  describe.skipIf(cli.problem !== null)(`CLI ${cli.version}: the canary`, () => {
    let dir: string;
    beforeEach(async () => {
      dir = await mkdtemp(path.join(os.tmpdir(), 'tw-canary-'));
    });
    afterEach(() => rm(dir, { recursive: true, force: true }));

    /** @param binary the CLI's program, or a wrapper */
    async function canary(
      binary: string,
      mode: (typeof modes)[number],
      variables: Record<string, string> = {},
    ): Promise<string | null> {
      const env = parseRunnerEnv({
        ...variables,
        PATH: process.env.PATH,
        TIERWATCH_URL: 'http://127.0.0.1:9',
        TIERWATCH_RUNNER_DIR: path.join(dir, 'runner'),
        ANTHROPIC_API_KEY: 'key-of-the-runner',
        CLAUDE_BIN: binary,
      });
      const agents = await findAgents(env, root, AGENTS);
      return runCanary({
        harness: AGENTS.claude,
        host: agents.get('claude'),
        mode,
        runnerDir: env.dir,
        root,
        sandboxHost: await openSandboxHost(env.dir, env.source.PATH ?? '', null),
        passEnv: [],
        signal: new AbortController().signal,
      });
    }

    async function wrapper(script: string): Promise<string> {
      const file = path.join(dir, 'claude');
      await writeFile(file, `#!/bin/bash\n${script}\n`);
      await chmod(file, 0o755);
      return file;
    }

    // Product tests run it without a proxy: no tier above 1 starts before.
    it.each(modes)(
      '[BND-5.3] proves that a forbidden command is refused, on a host behind a proxy too, %s',
      async (mode) => {
        const variables = { HTTP_PROXY: DEAD, HTTPS_PROXY: DEAD, NO_PROXY: 'example.com' };
        expect(await canary(cli.binary, mode, variables)).toBeNull();
        // Nor a project's folder, which would look like a customer's.
        const left = await readdir(path.join(dir, 'runner'));
        expect(left.filter((name) => name === 'canary' || name === 'projects')).toEqual([]);
      },
    );

    it('[BND-5.3] fails for a CLI that runs what no rule allows', async () => {
      const widened =
        await wrapper(`case "$1" in -p) exec ${cli.binary} "$@" --allowedTools Bash;; esac
for arg; do [ "$arg" = -p ] && exec ${cli.binary} "$@" --allowedTools Bash; done
exec ${cli.binary} "$@"`);
      expect(await canary(widened, 'open')).toBe('It ran a command that no rule allows.');
    });

    it('[BND-5.3] fails for a CLI that ends without trying', async () => {
      const broken = await wrapper(`for arg; do [ "$arg" = -p ] && exit 3; done
exec ${cli.binary} "$@"`);
      expect(await canary(broken, 'open')).toBe('It ended before it had tried both commands.');
    });
  });
}
