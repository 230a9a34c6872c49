/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {{ title: string, tally: Tally, ms: number }} Stage */
/** Writes what it prints to `output`. @typedef {(output: import('./run-command.mjs').Output) => Promise<Tally>} Work */

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { durationText } from './duration.mjs';
import { failureText } from './failures.mjs';
import { slowestText } from './slowest.mjs';
import { sum, tallyLine } from './tally.mjs';

/** One line per stage, in columns. @param {Stage[]} stages */
export function stageTable(stages) {
  const rows = [
    ['Stage', 'Duration', 'Passed', 'Failed', 'Skipped'],
    ...stages.map(({ title, tally, ms }) => [
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

function sumOf(stages, ms) {
  return { title: 'Total', tally: sum(stages.map(({ tally }) => tally)), ms };
}

/** Runs the stages of a test run, and reports the duration of each. */
export class Stages {
  #stages = [];
  #startedAt = performance.now();

  /** @param {string} title @param {Work} work */
  async run(title, work) {
    process.stdout.write(`\n== ${title}\n`);
    await this.#measure(title, () => work('inherit'));
  }

  /**
   * Runs stages two at a time, in this order: whichever of the two is done first takes the next one.
   * One of the two is shown as it goes; a stage of the other is shown when it has ended.
   *
   * @param {[title: string, work: Work][]} stages
   */
  async together(stages) {
    const waiting = [...stages];
    const takeTurns = async (run) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await run(...next);
    };
    const lanes = [
      takeTurns((title, work) => this.run(title, work)),
      takeTurns((title, work) => this.#runAside(title, work)),
    ];
    // Both end first: one that continued alone would outlive this process.
    const ended = await Promise.allSettled(lanes);
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
  }

  async #runAside(title, work) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-stage-'));
    const file = path.join(folder, 'output');
    const output = openSync(file, 'w');
    try {
      await this.#measure(
        title,
        () => work(output),
        () => {
          process.stdout.write(`\n== ${title}\n${readFileSync(file, 'utf8')}`);
        },
      );
    } finally {
      closeSync(output);
      rmSync(folder, { recursive: true, force: true });
    }
  }

  async #measure(title, work, show = () => {}) {
    const startedAt = performance.now();
    const tally = await work();
    const ms = performance.now() - startedAt;
    this.#stages.push({ title, tally, ms });
    show();
    process.stdout.write(`${title}: ${tallyLine(tally)} in ${durationText(ms)}\n`);
  }

  /** Prints what failed, the slowest files and the table; the last line is the sum. @returns {boolean} whether nothing failed */
  report() {
    const total = sumOf(this.#stages, performance.now() - this.#startedAt);
    const table = stageTable([...this.#stages, total]);
    const failed = this.#stages.flatMap(({ title, tally }) =>
      (tally.failures ?? []).map((failure) => `\n${failureText(title, failure)}\n`),
    );
    const slowest = slowestText(this.#stages);
    process.stdout.write(`${failed.join('')}${slowest}\n${table}\n\n${tallyLine(total.tally)}\n`);
    return total.tally.failed === 0;
  }
}
