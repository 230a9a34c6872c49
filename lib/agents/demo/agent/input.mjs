// @ts-check
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';

/**
 * @typedef {{ behavior: 'allow', updatedInput: Record<string, unknown> } | { behavior: 'deny', message: string }} Verdict
 * @typedef {{
 *   prompt: string,
 *   ask: ((send: (requestId: string) => void) => Promise<Verdict>) | null,
 *   ended: Promise<unknown>,
 * }} Input `ask` is null where nothing but the prompt comes in
 */

/**
 * What comes in by stdin: the prompt, and with `--input-format stream-json` answers after it.
 * @param {boolean} isStreamed @returns {Promise<Input>}
 */
export async function openInput(isStreamed) {
  if (!isStreamed) {
    return { prompt: await readAll(), ask: null, ended: Promise.resolve() };
  }
  /** @type {Map<string, (verdict: Verdict) => void>} */
  const waiting = new Map();
  const lines = createInterface({ input: process.stdin });
  const ended = new Promise((resolve) => lines.once('close', resolve));
  /** @type {Promise<string>} */
  const prompt = new Promise((resolve) => {
    lines.on('line', (line) => {
      const { type, message, response } = parse(line);
      if (type === 'user') resolve(String(message?.content ?? ''));
      if (type === 'control_response') waiting.get(response?.request_id)?.(response?.response);
    });
    lines.once('close', () => resolve(''));
  });
  void ended.then(() => {
    for (const decide of waiting.values()) decide({ behavior: 'deny', message: 'Stdin ended.' });
  });
  return {
    prompt: await prompt,
    ask: (send) =>
      new Promise((resolve) => {
        const requestId = randomUUID();
        waiting.set(requestId, resolve);
        send(requestId);
      }),
    ended,
  };
}

/** @param {string} line */
function parse(line) {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return {};
  }
}

async function readAll() {
  if (process.stdin.isTTY) return '';
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
  return text;
}

/** Between two of these lines a prompt carries what was said before. */
const FENCE = '~~~~~~';

/**
 * @typedef {{ text: string, transcript: string | null }} Message
 * `text` is the new message alone, `transcript` what was said before where the prompt carries it
 */

/**
 * Takes a turn's prompt apart: transcript, lead-in, message, and a last remark in brackets.
 * @param {string} prompt @returns {Message}
 */
export function readMessage(prompt) {
  const [, transcript = null, ...rest] = prompt.split(`\n${FENCE}\n`);
  const words = transcript === null ? prompt : rest.join('\n');
  const paragraphs = words.trim().split(/\n{2,}/);
  if (transcript !== null && paragraphs.length > 1 && paragraphs[0]?.endsWith(':')) {
    paragraphs.shift();
  }
  const last = paragraphs.at(-1) ?? '';
  if (paragraphs.length > 1 && last.startsWith('(') && last.endsWith(')')) paragraphs.pop();
  return { text: paragraphs.join('\n\n').trim(), transcript };
}
