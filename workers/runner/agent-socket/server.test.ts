/** The socket and both programs that use it, as real processes. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MARKER_VARIABLE } from '@/lib/agents/agent';
import { hookCommand } from '../hooks/hook-command';
import { type Ask, SOCKET_VARIABLE } from './messages';
import { type AgentSocket, openAgentSocket } from './server';

const root = path.resolve(import.meta.dirname, '../../..');
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
  const line = hookCommand({ root, bundleFile: null, environment });
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

it('lets no other user in, and leaves nothing behind', () => {
  expect(statSync(socket.path).mode & 0o077).toBe(0);
  socket.close();
  expect(existsSync(socket.path)).toBe(false);
});

it('opens where a killed runner has left its own, and where its folder has a long path', async () => {
  const again = await openAgentSocket(dir);
  expect(again.path).toBe(socket.path);
  again.close();
  const long = await openAgentSocket(path.join(dir, 'x'.repeat(100)));
  expect(statSync(path.dirname(long.path)).mode & 0o077).toBe(0);
  long.close();
  expect(existsSync(path.dirname(long.path))).toBe(false);
});

it.each(['nonsense\n', '{"token":"one"}\n', '{"token":"one","ask":{"kind":"sudo"}}\n'])(
  'answers %j with a refusal',
  async (line) => {
    socket.serve('one', async () => ({ ok: true, text: 'heard' }));
    const asked = connect(socket.path);
    asked.end(line);
    expect(JSON.parse(await text(asked))).toMatchObject({ ok: false });
  },
);
