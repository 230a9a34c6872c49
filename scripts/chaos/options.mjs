import { parseArgs } from 'node:util';
import { StartProblem } from '../bootstrap/problem.mjs';

/** Names a data folder whose database is migrated, to start on a copy of it: tests save the time. */
export const PREPARED_DATA_VARIABLE = 'TIERWATCH_TEST_PREPARED_DATA';

/** What is killed unless `--only` says otherwise. */
export const KILLED = ['web', 'worker', 'runner', 'agent', 'postgresql', 'redis', 'supervisor'];
/**
 * Faults that have to be named: a runner that is stopped for a while and continues, and one whose
 * control plane can't be reached.
 */
export const HELD = ['freeze', 'partition'];

/**
 * The options of `npm run chaos`.
 *
 * @typedef {object} ChaosOptions
 * @property {number} kills
 * @property {number} seed the same seed gives the same plan
 * @property {number} minutes after which nothing more is killed
 * @property {number} projects whose chains run meanwhile
 * @property {string[]} targets
 */

/**
 * Parses the arguments of `npm run chaos`.
 *
 * @param {string[]} args
 * @returns {ChaosOptions}
 * @throws {StartProblem} with what is wrong
 */
export function parseOptions(args) {
  const { kills, seed, minutes, projects, only } = parse(args);
  const targets = only === undefined ? KILLED : only.split(',').map((name) => name.trim());
  const known = [...KILLED, ...HELD];
  for (const name of targets) {
    if (known.includes(name)) continue;
    throw new StartProblem(`--only doesn’t know “${name}”. Choose from ${known.join(', ')}.`);
  }
  return {
    kills: wholeNumber('kills', kills, 1),
    seed: wholeNumber('seed', seed, 0),
    minutes: wholeNumber('minutes', minutes, 1),
    projects: wholeNumber('projects', projects, 1),
    targets: [...new Set(targets)],
  };
}

function parse(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        kills: { type: 'string', default: '200' },
        seed: { type: 'string', default: '7' },
        minutes: { type: 'string', default: '90' },
        projects: { type: 'string', default: '6' },
        only: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    throw new StartProblem(
      `${error.message}\nUsage: npm run chaos -- [--kills 200] [--seed 7] [--minutes 90] [--projects 6] [--only runner,agent]`,
    );
  }
}

function wholeNumber(name, text, least) {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= 1_000_000) return value;
  throw new StartProblem(`--${name} must be a whole number of at least ${least}, not “${text}”.`);
}
