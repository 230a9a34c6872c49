/** What people read about the end of an attempt: what happened, why, what to do. */
import type { ResultEvent } from '../../runner-protocol/events';
import type { AttemptResult, StopCause } from '../../runner-protocol/schema';
import type { AttemptEndFacts } from '../attempt-end';

type StartError = NonNullable<AttemptResult['startError']>;
type OrderedStop = Exclude<
  StopCause,
  'timed_out' | 'stalled' | 'runner_shutdown' | 'disk_full' | 'surplus_tools'
>;

const START_ERRORS: Record<
  Exclude<StartError['code'], 'runner_restarted' | 'disk_full' | 'work_dir_changed'>,
  string
> = {
  missing: 'There is no such program. Install Claude Code there, or set CLAUDE_BIN.',
  not_executable: 'The program may not be run. Correct its permissions, or set CLAUDE_BIN.',
  version: 'Its version cannot be used. Install a version named in the README.',
  argument_list:
    "The command is longer than the system takes. Shorten the tool rules or the report's schema.",
  other: 'Look at the message, correct it on that host, then start again.',
};

const STOPS: Record<OrderedStop, string> = {
  operator: 'Someone stopped this attempt.',
  fenced: 'This attempt was stopped: another one had taken its place.',
  cooldown:
    'This attempt was stopped: it did something that a cooldown does not allow yet. Look at what it changed.',
  budget: 'This attempt was stopped: the budget is used up. Raise the budget to go on.',
  policy: 'This attempt was stopped: a rule of the project forbids it.',
};

export const endTexts = {
  completed: ({ isReportRequired }: AttemptEndFacts) =>
    isReportRequired ? 'The agent finished and reported.' : 'The agent answered.',

  notStarted: ({ runner }: AttemptEndFacts, { code, message }: StartError) => {
    const advice = code in START_ERRORS ? START_ERRORS[code as keyof typeof START_ERRORS] : '';
    return `Runner ${runner} couldn't start the agent: ${sentence(message)} ${advice}`.trim();
  },

  refusedStart: ({ runner, stderrTail }: AttemptEndFacts) =>
    `The agent refused to start on runner ${runner}: ${sentence(firstLine(stderrTail))} Check the version of Claude Code on that host.`,

  surplus: ({ runner }: AttemptEndFacts) =>
    `The agent on runner ${runner} offered tools that this tier doesn't have, so it was stopped. Check the version and settings of Claude Code on that host.`,

  stopped: (_: AttemptEndFacts, cause: OrderedStop) => STOPS[cause],

  stalled: ({ start }: AttemptEndFacts) =>
    `No output for ${duration(start.limits.stallSeconds)}, so the process was stopped. Look at its last call, or raise the stall limit of this tier.`,

  timedOut: ({ start }: AttemptEndFacts) =>
    `The agent ran longer than ${duration(start.limits.timeoutSeconds)}, so the process was stopped. Look at what it was doing, or raise the time limit of this tier.`,

  runnerShutDown: ({ runner }: AttemptEndFacts) =>
    `Runner ${runner} was shut down while the agent worked. It may have changed something. Check the services before you start again.`,

  lost: ({ runner }: AttemptEndFacts) =>
    `Runner ${runner} lost the agent's process. It may have changed something. Check the services before you start again.`,

  killed: ({ runner, exit }: AttemptEndFacts) =>
    exit?.code === 0
      ? `The agent's process on runner ${runner} ended without a result and without an error, as when something interrupts it. Look at its output and at that host's log, then start again.`
      : `The agent's process was ended on runner ${runner} by something other than Tierwatch, such as a reboot or a lack of memory. Look at that host's log.`,

  crashed: ({ runner, exit, stderrTail }: AttemptEndFacts) =>
    `The agent's process on runner ${runner} ended with code ${exit?.code ?? 'unknown'} and no result${colon(firstLine(stderrTail))} Look at its output, then start again.`,

  diskFull: ({ runner }: AttemptEndFacts) =>
    `The disk of runner ${runner} is full, so the agent couldn't go on. Free some space on that host, then start again.`,

  resumeRejected: ({ runner, start }: AttemptEndFacts) => {
    const id = start.continuation.mode === 'resume' ? start.continuation.parentCliSessionId : '';
    return `Couldn't continue the conversation: runner ${runner} has no conversation ${id.slice(0, 8)}…. The next attempt starts from the handoff.`;
  },

  workDirChanged: ({ runner }: AttemptEndFacts) =>
    `Couldn't continue the conversation: the work directory on runner ${runner} is not the one in which it was held. The next attempt starts without it.`,

  contextExhausted: ({ start }: AttemptEndFacts) =>
    `The conversation no longer fits into the window of ${start.model}. The next attempt starts from the handoff. Lower the context limit to hand off earlier.`,

  historyUnreplayable: (said: string) =>
    `The provider doesn't accept the earlier conversation any more: ${sentence(firstLine(said))} The next attempt starts from the handoff.`,

  auth: ({ runner }: AttemptEndFacts, result: ResultEvent) => {
    if (/Credit balance/i.test(result.text ?? '')) {
      return `The model provider refused the request of runner ${runner}: the credit balance is too low. Add credit, then start again.`;
    }
    if (result.apiErrorStatus === null) {
      return `The agent on runner ${runner} has no key for the model provider. Set ANTHROPIC_API_KEY on that host, then start again.`;
    }
    return `The model provider refused the key of runner ${runner} (${result.apiErrorStatus}). Replace the key on that host, then start again.`;
  },

  rateLimited: (seconds: number) =>
    `The provider's rate limit is reached (429). The next try is in ${duration(seconds)}. Lower the number of chains at once, or raise the limit there.`,

  overloaded: (status: number, seconds: number) =>
    status === 529
      ? `The provider is overloaded (529). The next try is in ${duration(seconds)}.`
      : `The provider had an error of its own (${status}). The next try is in ${duration(seconds)}.`,

  unreachable: ({ runner }: AttemptEndFacts, seconds: number) =>
    `Runner ${runner} can't reach the model provider. The next try is in ${duration(seconds)}. Check that host's network and ANTHROPIC_BASE_URL.`,

  refusedByModel: ({ start }: AttemptEndFacts) =>
    `The model ${start.model} declined to answer under the provider's usage policy. Change the instructions or the model of this tier.`,

  badRequest: ({ start }: AttemptEndFacts, result: ResultEvent) =>
    result.apiErrorStatus === 404
      ? `The provider has no model ${start.model} for this key (404). Choose another model for this tier.`
      : `The provider refused the request (${result.apiErrorStatus}): ${sentence(firstLine(result.text ?? ''))} Check the tier's model and tools.`,

  maxTurns: ({ start }: AttemptEndFacts) =>
    `The agent used all ${start.limits.maxTurns} turns without finishing. Raise the turn limit of this tier, or narrow its task.`,

  maxBudget: ({ start }: AttemptEndFacts) =>
    `The agent used up its budget${start.limits.maxBudgetUsd === null ? '' : ` of $${start.limits.maxBudgetUsd.toFixed(2)}`} without finishing. Raise the budget, or narrow its task.`,

  reportMissing: (_: AttemptEndFacts) =>
    "The agent finished without a report, so its findings can't be used. Read the log, then start again.",

  reportInvalid: (_: AttemptEndFacts) =>
    "The agent's report didn't have the form that is asked for, several times over. Read the log, then start again.",

  unknown: ({ exit }: AttemptEndFacts, said: string) =>
    `The agent ended with an error that Tierwatch doesn't know (code ${exit?.code ?? 'none'})${colon(firstLine(said))} Look at its output, then start again.`,
};

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function firstLine(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return line.trim().slice(0, 200);
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function colon(text: string): string {
  return text === '' ? '.' : `: ${sentence(text)}`;
}
