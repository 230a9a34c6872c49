/** A product of its own for the pictures: `npm start` on a temporary data folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runNode } from '../bootstrap/command.mjs';
import { checkout } from '../bootstrap/folders.mjs';
import { findFreePort } from '../bootstrap/ports.mjs';
import { StartProblem } from '../bootstrap/problem.mjs';

const START_MS = 240_000;

/**
 * Starts the product with its demo.
 *
 * @returns the address, the demo account, the data folder, a client of the REST API with full privileges, the demo's
 *   control, and `stop`
 */
export async function startProduct() {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-pictures-'));
  const port = await findFreePort();
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    TIERWATCH_DATA_DIR: dataDir,
  };
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await untilStarted(child);
    const url = `http://127.0.0.1:${port}`;
    const account = JSON.parse(readFileSync(path.join(dataDir, 'demo-account.json'), 'utf8'));
    const token = await makeToken(env, account.organization);
    return {
      url,
      account,
      dataDir,
      api: apiOf(url, token),
      breakDemo: (fault) => breakDemo(dataDir, fault),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves once the product prints its address. */
async function untilStarted(child) {
  let printed = '';
  const started = new Promise((resolve, reject) => {
    const read = (chunk) => {
      printed += chunk;
      if (printed.includes('Press Ctrl-C')) resolve(undefined);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new StartProblem(`The product did not start.\n${printed}`)));
  });
  const late = delay(START_MS, undefined, { ref: false }).then(() => {
    throw new StartProblem(`The product did not start in ${START_MS / 1_000} s.\n${printed}`);
  });
  await Promise.race([started, late]);
}

async function makeToken(env, organization) {
  const args = ['token', 'create', '--organization', organization, '--scopes', 'all'];
  return (await runNode(['scripts/tierwatch.mjs', ...args], { env })).trim();
}

function apiOf(url, token) {
  return async (method, resource, body) => {
    const response = await fetch(`${url}/api/v1/${resource}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${resource}: ${await response.text()}`);
    return response.json();
  };
}

async function breakDemo(dataDir, fault) {
  const control = JSON.parse(readFileSync(path.join(dataDir, 'demo', 'control.json'), 'utf8'));
  const response = await fetch(`http://127.0.0.1:${control.port}/break/${fault}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${control.token}` },
  });
  const answer = await response.json();
  if (!answer.ok) throw new Error(answer.message);
}
