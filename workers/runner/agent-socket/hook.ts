/**
 * What the CLI runs at its hooks: passes the hook's input on to the runner, and prints what the
 * runner adds to the conversation. The agent continues even if this fails.
 */
import { text } from 'node:stream/consumers';
import { askRunner } from './ask-runner';
import { hookInputSchema } from './messages';

/** The CLI cuts off a hook of SessionEnd after 1.5 s. */
const ANSWER_MS = 1_000;

try {
  const input = hookInputSchema.parse(JSON.parse(await text(process.stdin)));
  const answer = await askRunner({ kind: 'hook', input }, ANSWER_MS);
  if (answer.ok) process.stdout.write(answer.text);
  else process.stderr.write(`${answer.error}\n`);
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
}
