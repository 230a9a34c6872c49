import { durationText } from './duration.mjs';

/** @typedef {{ file: string, ms: number }} TimedFile */

const SHOWN = 20;

/**
 * The time that each spec file took, from Playwright's json reporter.
 * @param {{ suites?: unknown[] } | null} report
 * @returns {TimedFile[]}
 */
export function playwrightFiles(report) {
  const timeOf = (suite) =>
    (suite.specs ?? [])
      .flatMap(({ tests = [] }) => tests.flatMap(({ results = [] }) => results))
      .reduce((total, { duration = 0 }) => total + duration, 0) +
    (suite.suites ?? []).reduce((total, inner) => total + timeOf(inner), 0);
  return (report?.suites ?? []).map((suite) => ({ file: suite.file, ms: timeOf(suite) }));
}

/**
 * A line for each of the slowest files of all stages, the slowest first.
 * @param {import('./stages.mjs').Stage[]} stages
 */
export function slowestText(stages) {
  const slowest = stages
    .flatMap(({ title, tally }) => (tally.files ?? []).map((each) => ({ ...each, title })))
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, SHOWN)
    .map(({ title, file, ms }) => ({ duration: durationText(ms), name: `[${title}] ${file}` }));
  if (slowest.length === 0) return '';
  const width = Math.max(...slowest.map(({ duration }) => duration.length));
  const lines = slowest.map(({ duration, name }) => `${duration.padStart(width)}  ${name}`);
  return ['', 'Slowest files', ...lines, ''].join('\n');
}
