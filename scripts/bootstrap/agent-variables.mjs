import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkout } from './folders.mjs';

/**
 * The variables that agent CLIs need from a runner's environment, from `environment.json` in their
 * folders. A `*` at the end of a name stands for letters, digits and underscores.
 *
 * @param {string} folder one folder below it for each agent
 * @returns {{ credentials: RegExp[], others: RegExp[] }} `credentials` are for the runner alone and
 *   kept from everything else; `others` are passed to the runner as well, but aren't the agent's
 *   alone, so other processes keep them
 */
export function readAgentVariables(folder = path.join(checkout, 'lib', 'agents')) {
  const lists = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name, 'environment.json');
    return entry.isDirectory() && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  });
  return {
    credentials: lists.flatMap(({ credentials }) => credentials.map(patternOf)),
    others: lists.flatMap(({ others }) => others.map(patternOf)),
  };
}

/** @param {string} name */
function patternOf(name) {
  if (!/^\w+\*?$/.test(name)) throw new Error(`${name} is not the name of a variable.`);
  return new RegExp(`^${name.replace('*', '\\w+')}$`);
}
