/** The receiver of docs/webhooks.md: its very code block, run as a program of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, vi } from 'vitest';
import { checkout } from '@/scripts/bootstrap/folders.mjs';

export interface ReceiverOfDocs {
  url: string;
  /** What it has printed since it listens. */
  lines: string[];
  close(): Promise<void>;
}

async function codeOfDocs(): Promise<string> {
  const page = await readFile(path.join(checkout, 'docs/webhooks.md'), 'utf8');
  const blocks = [...page.matchAll(/^```.*\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  const code = blocks.find((block) => block.includes('createServer'));
  if (!code) throw new Error('docs/webhooks.md has no receiver.');
  return code;
}

export async function startReceiverOfDocs(secret: string): Promise<ReceiverOfDocs> {
  // Below the checkout, so that it finds the library as it would beside its own package.json.
  await mkdir(path.join(checkout, '.data'), { recursive: true });
  const folder = await mkdtemp(path.join(checkout, '.data/receiver-'));
  const file = path.join(folder, 'receiver.mjs');
  await writeFile(file, await codeOfDocs());
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  await vi.waitFor(() => expect(lines[0]).toMatch(/^Listening on /), { timeout: 60_000 });
  const url = (lines.shift() ?? '').replace('Listening on ', '');
  return {
    url,
    lines,
    async close() {
      const closed = once(child, 'close');
      child.kill();
      await closed;
      await rm(folder, { recursive: true });
    },
  };
}
