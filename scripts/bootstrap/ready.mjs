import { setTimeout as sleep } from 'node:timers/promises';
import { StartProblem } from './problem.mjs';

const TIMEOUT_MS = 90_000;
/** One crash may be bad luck; a process that keeps ending will not get ready. */
const MAX_EXITS = 3;

async function answers(url) {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}

/**
 * Waits until a process answers over HTTP.
 * @param {string} url
 * @param {{ name: string, exits: () => number }} running
 */
export async function waitUntilAnswering(url, running, logFile) {
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline && running.exits() < MAX_EXITS) {
    if (await answers(url)) return;
    await sleep(50);
  }
  const what = running.exits() > 0 ? 'exits right after it starts' : 'does not respond';
  throw new StartProblem(`The ${running.name} process ${what}. Its log is ${logFile}.`);
}
