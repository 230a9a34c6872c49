/** A runner's look at an agent's program that takes its time. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AGENTS } from '@/lib/agents/registry';
import { findAgents } from '@/workers/runner/attempt/agents';
import { parseRunnerEnv } from '@/workers/runner/env';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'probe-agent-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Hangs as often as there are files `hang-…`, and answers then. */
async function slowClaude(hangsAt: '--version' | '--help'): Promise<string> {
  const file = path.join(folder, 'claude');
  const lines = [
    '#!/bin/sh',
    `if [ "$1" = "${hangsAt}" ] && [ -e "${folder}/hang" ]; then rm "${folder}/hang"; exec sleep 60; fi`,
    '[ "$1" = --version ] && echo "2.1.330 (Claude Code)"',
    '[ "$1" = --help ] && echo "--resume --fork-session --session-id"',
    'exit 0',
  ];
  await writeFile(file, lines.join('\n'));
  await chmod(file, 0o755);
  await writeFile(path.join(folder, 'hang'), '');
  return file;
}

it.each(['--version', '--help'] as const)(
  'that does not answer %s in time is asked again, and is usable then',
  async (flag) => {
    const env = parseRunnerEnv({
      PATH: process.env.PATH,
      CLAUDE_BIN: await slowClaude(flag),
      TIERWATCH_URL: 'http://127.0.0.1:9',
      TIERWATCH_RUNNER_KEY: `rnk_${'a'.repeat(40)}`,
      TIERWATCH_RUNNER_DIR: path.join(folder, 'runner'),
    });
    const agents = await findAgents(env, process.cwd(), AGENTS, 3_000);
    expect(agents.get('claude')).toMatchObject({
      version: null,
      fingerprint: null,
      startError: { code: 'version', message: expect.stringContaining(`didn't answer ${flag}`) },
    });
    await agents.refresh();
    expect(agents.get('claude')).toMatchObject({
      version: '2.1.330',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      startError: null,
    });
  },
);
