/** Problems of the installation in words: from codes and figures alone. */

import { formatCounted } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import type { ProblemFigures, ProblemKey } from './problems';

interface Words {
  /** A short name, for a heading or a subject line. */
  title: string;
  /** What is wrong, and what follows from it. */
  sentence: string;
  /** What to do about it. */
  advice: string;
}

/** Returns what a problem is called, what it means, and what to do. */
export function wordsOfProblem(problem: ProblemKey & { figures: ProblemFigures }): Words {
  const { component, subject } = problem;
  const of = (name: string) => problem.figures[name] ?? 0;
  switch (component) {
    case 'web':
      return {
        title: 'No web process reports',
        sentence: 'Pages and the API don’t respond, and runners can’t report.',
        advice: 'Start the web process, or read the end of its log.',
      };
    case 'worker':
      return {
        title: 'No worker reports',
        sentence:
          'Due chains don’t start, ended sessions aren’t settled, and messages aren’t sent.',
        advice: 'Start the worker, or read the end of its log.',
      };
    case 'job':
      return {
        title: `The job ${subject} is late`,
        sentence: `It is due every ${formatDuration(of('everyMs'))} and hasn’t succeeded since then.${
          of('failures') > 0 ? ' It ran and failed.' : ''
        }`,
        advice: 'Search the worker’s log for “job failed” and its name.',
      };
    case 'queue':
      return {
        title: `The queue ${subject} keeps growing`,
        sentence: `${formatCounted(of('waiting'), 'item')} waiting, the oldest due for ${formatDuration(of('oldestMs'))}.`,
        advice:
          subject === 'attempts'
            ? 'Check that runners are online and have free slots.'
            : 'Read the worker’s log, or start another worker.',
      };
    case 'schedule':
      return {
        title: 'Schedules have no next run',
        sentence: `${formatCounted(of('lost'), 'enabled schedule')} ${of('lost') === 1 ? 'has' : 'have'} no next run, so ${of('lost') === 1 ? 'its' : 'their'} project starts chains only manually.`,
        advice:
          'Search the worker’s log for “schedule stopped” and “no next run”, and save the project’s schedule again.',
      };
    case 'runner':
      return problem.kind === 'clock_off'
        ? {
            title: 'Runner clocks are wrong',
            sentence: `The clocks of ${of('broken')} of ${formatCounted(of('expected'), 'runner')} are off by more than 30 s.`,
            advice: 'Check the time service of the hosts (timedatectl).',
          }
        : {
            title: 'Runners are offline',
            sentence: `${of('broken')} of ${formatCounted(of('expected'), 'runner')} seen in the last 7 days ${of('broken') === 1 ? 'doesn’t' : 'don’t'} report.`,
            advice: 'The Runners page of each organization lists its own and what to check.',
          };
    case 'check':
      return {
        title: 'Checks have no results',
        sentence: `${of('broken')} of ${formatCounted(of('expected'), 'check')} lack results although their runner is online.`,
        advice: 'Read the runners’ logs, and update runners with an older version.',
      };
    case 'database':
      return {
        title: 'The database is nearly out of connections',
        sentence: `${of('used')} of ${of('max')} are in use. Requests fail once none is left.`,
        advice: 'Raise max_connections, or run fewer processes.',
      };
    case 'disk':
      return {
        title: `The disk of the ${subject} process is nearly full`,
        sentence: `${megabytes(of('freeBytes'))} MB of ${megabytes(of('totalBytes'))} MB are free on the disk of its data folder.`,
        advice: 'Free up disk space.',
      };
  }
}

function megabytes(bytes: number): string {
  return Math.floor(bytes / 1_000_000).toLocaleString('en');
}
