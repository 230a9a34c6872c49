/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {{ title: string, tally: Tally, ms: number }} Stage */

import { sum, tallyLine } from './tally.mjs';

/** `48.3 s` below a minute, `6 min 04 s` above. @param {number} ms */
export function durationText(ms) {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** One line per stage and one for all of them, in columns. @param {Stage[]} stages */
export function stageTable(stages) {
  const rows = [
    ['Stage', 'Duration', 'Passed', 'Failed', 'Skipped'],
    ...[...stages, total(stages)].map(({ title, tally, ms }) => [
      title,
      durationText(ms),
      ...[tally.passed, tally.failed, tally.skipped].map(String),
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map(([title, ...figures]) =>
      [
        title.padEnd(widths[0]),
        ...figures.map((text, column) => text.padStart(widths[column + 1])),
      ].join('  '),
    )
    .join('\n');
}

function total(stages) {
  return {
    title: 'Total',
    tally: sum(stages.map(({ tally }) => tally)),
    ms: stages.reduce((all, { ms }) => all + ms, 0),
  };
}

/** Runs the stages of a test run one after the other, and reports the duration of each. */
export class Stages {
  #stages = [];

  /** @param {string} title @param {() => Promise<Tally>} work */
  async run(title, work) {
    process.stdout.write(`\n== ${title}\n`);
    const startedAt = performance.now();
    const tally = await work();
    const ms = performance.now() - startedAt;
    this.#stages.push({ title, tally, ms });
    process.stdout.write(`${title}: ${tallyLine(tally)} in ${durationText(ms)}\n`);
  }

  /** Prints the table; the last line is the sum. @returns {boolean} whether nothing failed */
  report() {
    const { tally } = total(this.#stages);
    process.stdout.write(`\n${stageTable(this.#stages)}\n\n${tallyLine(tally)}\n`);
    return tally.failed === 0;
  }
}
