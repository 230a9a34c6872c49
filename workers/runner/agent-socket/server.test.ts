import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AgentSocket, openAgentSocket } from './server';

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
