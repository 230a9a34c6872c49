import { existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { openLogFile } from './log-file.mjs';
import { StartProblem } from './problem.mjs';

const WARNING = 40;

/** Pino's lines are JSON with a numeric level; anything else is shown as it is. */
function toConsoleText(line, isError) {
  if (!line.startsWith('{')) return isError ? line : null;
  try {
    const { level, msg, time, ...rest } = JSON.parse(line);
    if (typeof level !== 'number') return isError ? line : null;
    if (level < WARNING) return null;
    const details = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
    return `${msg ?? ''}${details}`;
  } catch {
    return line;
  }
}

/** Calls onLine for every whole line of a stream, and for what is left at its end. */
function eachLine(stream, onLine) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  stream.on('end', () => {
    if (rest) onLine(rest);
  });
}

/**
 * Everything a process says goes to `<data dir>/logs/<name>.log` (the last run's is kept as .1);
 * warnings and errors also to the terminal, behind its name.
 * @param {string} folder
 * @param {string} name
 * @param {{ isVerbose: boolean }} options verbose: all of it to the terminal
 */
export function openProcessLog(folder, name, { isVerbose }) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.log`);
  if (existsSync(file)) renameSync(file, `${file}.1`);
  const label = `${name.padEnd(8)}| `;
  const show = (text) => process.stderr.write(`${label}${text}\n`);
  const out = openLogFile(file, show);
  const listeners = new Set();
  const take = (isError) => (line) => {
    out.write(`${line}\n`);
    for (const listener of listeners) listener(line);
    const text = isVerbose ? line : toConsoleText(line, isError);
    if (text?.trim()) show(text);
  };
  return {
    follow(child) {
      eachLine(child.stdout, take(false));
      eachLine(child.stderr, take(true));
    },
    /** Resolves when a line begins with this, rejects when none does in time. */
    waitForLine: (beginning, timeoutMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(listener);
          reject(new StartProblem(`The ${name} process did not become ready. Its log is ${file}.`));
        }, timeoutMs);
        const listener = (line) => {
          if (!line.startsWith(beginning)) return;
          clearTimeout(timer);
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      }),
    note(text) {
      out.write(`${text}\n`);
      show(text);
    },
    close: out.close,
  };
}
