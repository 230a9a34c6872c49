import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOutboundClient } from '../../outbound-http/client';
import { signWebhook } from './headers';
import { mintSigningSecret } from './secrets';

const EXAMPLE = path.resolve('docs/examples/webhook-receiver.mjs');
const body = JSON.stringify({
  type: 'chain.needs_human',
  data: { summary: 'Chain #12 needs a human.', link: 'https://tierwatch.example/12' },
});

const secret = mintSigningSecret();
let example: ChildProcess;
let url: string;
let lines: string[];

beforeEach(async () => {
  lines = [];
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' };
  example = spawn(process.execPath, [EXAMPLE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  if (!example.stdout) throw new Error('The example has no output.');
  createInterface(example.stdout).on('line', (line) => lines.push(line));
  await vi.waitFor(() => expect(lines[0]).toMatch(/^Listening on /), { timeout: 10_000 });
  url = (lines[0] ?? '').replace('Listening on ', '');
});

afterEach(async () => {
  const closed = once(example, 'close');
  example.kill();
  await closed;
});

function deliver(id: string, signedBy: string, sentBody = body) {
  return createOutboundClient({ allowPrivate: true }).request({
    url,
    method: 'POST',
    headers: signWebhook({ id, sentAt: new Date(), body, secrets: [signedBy] }),
    body: sentBody,
    timeoutMs: 5_000,
    maxResponseBytes: 1_000,
  });
}

describe('[SAS-5.1] the receiver of docs/webhooks.md', () => {
  it('takes a signed event, and the same one again only once', async () => {
    expect(await deliver('dlv_1', secret)).toMatchObject({ ok: true, status: 204 });
    expect(await deliver('dlv_1', secret)).toMatchObject({ ok: true, status: 204 });
    expect(await deliver('dlv_2', secret)).toMatchObject({ ok: true, status: 204 });
    await vi.waitFor(() => expect(lines).toHaveLength(5));
    expect(lines.slice(1)).toEqual([
      'chain.needs_human: Chain #12 needs a human.',
      'Look at https://tierwatch.example/12',
      'chain.needs_human: Chain #12 needs a human.',
      'Look at https://tierwatch.example/12',
    ]);
  });

  it('refuses an event signed by another secret, and one that was changed', async () => {
    expect(await deliver('dlv_1', mintSigningSecret())).toMatchObject({ status: 401 });
    expect(await deliver('dlv_1', secret, `${body} `)).toMatchObject({ status: 401 });
    expect(lines).toHaveLength(1);
  });
});
