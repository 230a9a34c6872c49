/** The runner's own looks at the services: facts beside what the agent says. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkSchema, type ServiceSpec } from '@/lib/protocol/spec';
import type { StoredAttempt } from '../../support/fake-control-plane/attempt-store';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

let host: RunnerHost;
let listener: Server;
let services: ServiceSpec[];

beforeEach(async () => {
  listener = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  services = [
    { name: 'db', checks: [{ type: 'tcp', target: `127.0.0.1:${port}`, timeoutSeconds: 5 }] },
    { name: 'web', checks: [{ type: 'process', target: '/nowhere.pid', timeoutSeconds: 5 }] },
  ];
});

afterEach(async () => {
  listener.close();
  await host.close();
});

function checks(attempt: StoredAttempt) {
  return attempt
    .events()
    .flatMap((event) =>
      event.kind === 'check_result' ? [`${event.service} ${event.status}`] : [],
    );
}

const SILENT = 'init(); result();';
/** As the tool's server asks the runner for the checks of one service. */
const ASKED = `init(); call('t1', 'check');
  const { env } = JSON.parse(fs.readFileSync(flag('--mcp-config'), 'utf8')).mcpServers.tierwatch;
  const socket = require('node:net').connect(env.TIERWATCH_AGENT_SOCKET);
  socket.write(JSON.stringify({ token: process.env.TIERWATCH_ATTEMPT, ask: { kind: 'check', service: 'db' } }) + '\\n');
  socket.once('data', (answer) => {
    const content = JSON.parse(answer).text;
    say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content }] } });
    text('after'); result();
  });`;

it('looks for itself after an observing tier that asked for no check', async () => {
  host = await startRunnerHost({ agent: SILENT });
  expect(checks(await host.run({ services }))).toEqual(['db healthy', 'web down']);
});

it('tells the checks the agent had run, before their answer, and repeats none', async () => {
  host = await startRunnerHost({ agent: ASKED });
  const attempt = await host.run({ services });
  expect(checks(attempt)).toEqual(['db healthy']);
  const kinds = attempt.events().map((event) => event.kind);
  expect(kinds.indexOf('check_result')).toBe(kinds.indexOf('tool_result') - 1);
});

it.each([2, 3] as const)('looks again after tier %i, whatever it asked for', async (tier) => {
  host = await startRunnerHost({ agent: ASKED });
  const attempt = await host.run({ services, start: { tier } });
  expect(checks(attempt)).toEqual(['db healthy', 'db healthy', 'web down']);
});

it.each([
  [2, 'unknown'],
  [undefined, 'down'],
])(
  '[INC-1.1] reports to a control plane of revision %s that a check that could not run is %s',
  async (checkRevision, status) => {
    host = await startRunnerHost({ agent: SILENT });
    const missing = checkSchema.parse({ type: 'command', target: 'no-such-program-here' });
    const heartbeat = checkSchema.parse({ type: 'heartbeat', target: 'backup' });
    const own = [{ name: 'web', checks: [missing, heartbeat] }];
    const attempt = await host.run({ services: own, checkRevision });
    expect(checks(attempt)).toEqual([`web ${status}`]);
    expect(host.plane.heartbeats[0]?.capabilities.checkRevision).toBe(2);
  },
);

it('runs the demo agent, whose checks are the tool’s', async () => {
  host = await startRunnerHost({
    env: { TIERWATCH_RUNNER_PASS_ENV: 'TIERWATCH_DEMO_PACE_MS', TIERWATCH_DEMO_PACE_MS: '0' },
  });
  const attempt = await host.run({ services, start: { harness: 'demo', tools: ['Bash', 'Read'] } });
  expect(checks(attempt).sort()).toEqual(['db healthy', 'web down']);
  expect(attempt.results[0]).toMatchObject({ exit: { code: 0 }, transcriptSeen: true });
  expect(attempt.events().some((event) => event.kind === 'tool_call')).toBe(true);
  const capabilities = host.plane.heartbeats[0]?.capabilities.harnesses.find(
    ({ name }) => name === 'demo',
  );
  expect(capabilities).toMatchObject({ isUsable: true, version: 'demo-1', problem: null });
});
