/** The hook of the agents' socket, as a real process. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MARKER_VARIABLE } from '@/lib/protocol/project-folder';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { type Ask, SOCKET_VARIABLE } from '@/workers/runner/agent-socket/messages';
import { type AgentSocket, openAgentSocket } from '@/workers/runner/agent-socket/server';
import { hookCommand } from '@/workers/runner/attempt/host-layout';

let dir = '';
let socket: AgentSocket;

beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'tw-socket-'));
  socket = await openAgentSocket(dir);
});
afterEach(() => {
  socket.close();
  rmSync(dir, { recursive: true });
});

/** Runs the hook as the CLI does: by a shell, with the input on stdin. */
async function runHook(input: unknown, marker: string, socketPath = socket.path) {
  const environment = { [SOCKET_VARIABLE]: socketPath, [MARKER_VARIABLE]: marker };
  const line = hookCommand({ root: checkout, environment });
  const child = spawn('/bin/sh', ['-c', line], { stdio: 'pipe', cwd: '/' });
  child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  return { stdout, stderr, code };
}

it('[CKP-3.3] takes a hook to its own attempt, by the marker in its environment', async () => {
  const heard: [string, Ask][] = [];
  for (const marker of ['one', "two's"]) {
    socket.serve(marker, async (ask) => {
      heard.push([marker, ask]);
      return { ok: true, text: `for ${marker}` };
    });
  }
  const input = { hook_event_name: 'SessionStart', source: 'compact', session_id: 'of-the-parent' };
  expect(await runHook(input, "two's")).toMatchObject({ stdout: "for two's", code: 0 });
  expect(heard).toEqual([["two's", { kind: 'hook', input }]]);
});

it.each([
  ['an attempt that is over', { hook_event_name: 'SessionEnd' }, 'gone'],
  ['input that is no JSON', 'not JSON', 'one'],
  ['an event that is not asked for', { hook_event_name: 'Stop' }, 'one'],
])('%s holds no agent up', async (_what, input, marker) => {
  socket.serve('one', async () => ({ ok: true, text: 'heard' }));
  expect(await runHook(input, marker)).toMatchObject({ stdout: '', code: 0 });
});

it('a runner that is gone, or does not answer, holds no agent up', async () => {
  socket.serve('one', () => new Promise(() => {}));
  const input = { hook_event_name: 'PreCompact', trigger: 'auto' };
  expect(await runHook(input, 'one')).toMatchObject({ stdout: '', code: 0 });
  expect(await runHook(input, 'one', `${socket.path}.gone`)).toMatchObject({ stdout: '', code: 0 });
});
