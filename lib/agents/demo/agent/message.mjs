// @ts-check

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
  const told = transcript === null ? prompt : rest.join('\n');
  const paragraphs = told.trim().split(/\n{2,}/);
  if (transcript !== null && paragraphs.length > 1 && paragraphs[0]?.endsWith(':')) {
    paragraphs.shift();
  }
  const last = paragraphs.at(-1) ?? '';
  if (paragraphs.length > 1 && last.startsWith('(') && last.endsWith(')')) paragraphs.pop();
  return { text: paragraphs.join('\n\n').trim(), transcript };
}
