/** One failed test, or one file that could not be run. @typedef {{ title: string, reason: string }} Failure */

import { stripVTControlCharacters } from 'node:util';

/** Enough for an assertion with its difference; the stage's own output has the rest. */
const REASON_LINES = 12;

/** The start of an error's text, without colors. @param {string | undefined} message */
export function reasonOf(message) {
  const lines = stripVTControlCharacters(message ?? '').split('\n');
  return lines.slice(0, REASON_LINES).join('\n').trimEnd();
}

/** @param {{ suites?: unknown[], errors?: { message?: string }[] } | null} report of Playwright's json reporter */
export function playwrightFailures(report) {
  const ofSuite = (suite) => [
    ...(suite.specs ?? []).flatMap(({ file, line, title, tests = [] }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ projectName, results = [] }) => ({
          title: `[${projectName}] ${file}:${line} › ${title}`,
          reason: reasonOf(results.find(({ error }) => error)?.error.message),
        })),
    ),
    ...(suite.suites ?? []).flatMap(ofSuite),
  ];
  const outside = (report?.errors ?? []).map(({ message }) => ({
    title: 'Outside any test',
    reason: reasonOf(message),
  }));
  return [...(report?.suites ?? []).flatMap(ofSuite), ...outside];
}

/** @param {string} stage @param {Failure} failure */
export function failureText(stage, { title, reason }) {
  const indented = reason.split('\n').map((line) => `    ${line}`.trimEnd());
  return [`[${stage}] ${title}`, ...(reason ? indented : [])].join('\n');
}
