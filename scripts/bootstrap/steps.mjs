import { CommandStopped } from './command.mjs';

/** The step whose title stands on the terminal's last line, without its end yet. */
let unended = null;

/** Tells what takes a while, and how long it took. Steps may overlap. */
export async function step(title, work) {
  const self = { title };
  print(self, null);
  const beganAt = performance.now();
  try {
    const result = await work();
    print(self, `${((performance.now() - beganAt) / 1000).toFixed(1)} s`);
    return result;
  } catch (error) {
    print(self, error instanceof CommandStopped ? 'stopped' : 'failed');
    throw error;
  }
}

/** @param {string | null} end null at the beginning of a step */
function print(self, end) {
  if (end !== null && unended === self) {
    process.stdout.write(`${end}\n`);
    unended = null;
    return;
  }
  const lineBreak = unended === null ? '' : '\n';
  process.stdout.write(`${lineBreak}  ${self.title}… ${end === null ? '' : `${end}\n`}`);
  unended = end === null ? self : null;
}
