/** What people read about the end of an attempt: what happened, why, and what to do. */
import { roughSpan } from '@/lib/platform/format/duration';
import type { ResultEvent } from '@/lib/protocol/events';
import type { AttemptResult, OrderedStop } from '@/lib/protocol/schema';
import type { AttemptEndFacts, EndText } from './attempt-end';

type StartError = NonNullable<AttemptResult['startError']>;

/** What only one agent's texts say. */
interface AgentWords {
  label: string;
  /** The variable of a runner that names the program. */
  programVariable: string;
  /** The variable of a runner that holds the key of the model provider. */
  keyVariable: string;
  /** The variable of a runner that holds the provider's address. */
  addressVariable: string;
}

function startAdvice({ label, programVariable }: AgentWords, code: StartError['code']) {
  switch (code) {
    case 'missing':
      return `Install ${label} there, or set ${programVariable}`;
    case 'not_executable':
      return `Correct its permissions, or set ${programVariable}`;
    case 'version':
      return 'Install a version named in the README';
    case 'argument_list':
      return "Shorten the tool rules or the report's schema";
    case 'not_confined':
      return 'Correct that on the host, or change the project’s isolation';
    case 'other':
      return 'Correct that on the host';
    default:
      return null;
  }
}

const STOPS: Record<OrderedStop, EndText> = {
  operator: says('Someone stopped this attempt.'),
  fenced: says('This attempt was stopped: another attempt replaced it.'),
  cooldown: says(
    'This attempt was stopped: it took an action that a cooldown doesn’t allow yet.',
    'Check what it changed.',
  ),
  budget: says('This attempt was stopped: the budget is used up.', 'Raise the budget to continue.'),
  policy: says('This attempt was stopped: a rule of the project forbids it.'),
};

/** What the advice calls the limits, the model, and another try of what ended. */
interface Words {
  limits: string;
  model: string;
  again: string;
}

const OF_TIERS: Words = { limits: 'this tier', model: 'this tier', again: 'run again' };
/** A turn has an agent's model, and the limits and tools of tier 1. */
const OF_TURNS: Words = { limits: 'tier 1', model: 'this agent', again: 'ask again' };

function wordsOf({ start }: AttemptEndFacts): Words {
  return start.purpose === 'ask' ? OF_TURNS : OF_TIERS;
}

export type EndTexts = ReturnType<typeof endTextsOf>;

/** Returns why the runner's gateway refused a request to the model; null if it wasn't the gateway. */
export function byGateway(said: string): string | null {
  const [, refusal] = /\btierwatch: (.+)/.exec(said) ?? [];
  return refusal === undefined ? null : firstLine(refusal);
}

export function endTextsOf(agent: AgentWords) {
  return {
    completed: ({ isReportRequired }: AttemptEndFacts) =>
      says(isReportRequired ? 'The agent finished and reported.' : 'The agent answered.'),

    waitingForApproval: () =>
      says(
        'A command waits for approval, so the agent’s process has ended.',
        'Approve or refuse it on the Approvals page.',
      ),

    notStarted(facts: AttemptEndFacts, { code, message }: StartError) {
      const happened = `Runner ${facts.runner} couldn't start the agent: ${sentence(message)}`;
      const advice = startAdvice(agent, code);
      if (advice === null) return says(happened);
      return says(happened, `${advice}, then ${wordsOf(facts).again}.`);
    },

    refusedStart: ({ runner, stderrTail }: AttemptEndFacts) =>
      says(
        `The agent refused to start on runner ${runner}: ${sentence(firstLine(stderrTail))}`,
        `Check the version of ${agent.label} on that host.`,
      ),

    surplus: (facts: AttemptEndFacts) =>
      says(
        `The agent on runner ${facts.runner} offered tools that ${wordsOf(facts).limits} doesn't have, so it was stopped.`,
        `Check the version and settings of ${agent.label} on that host.`,
      ),

    stopped: (_: AttemptEndFacts, cause: OrderedStop) => STOPS[cause],

    stalled: (facts: AttemptEndFacts) =>
      says(
        `No output for ${roughSpan(facts.start.limits.stallSeconds)}, so the process was stopped.`,
        `Check its last call, or raise the stall timeout of ${wordsOf(facts).limits}.`,
      ),

    timedOut: (facts: AttemptEndFacts) =>
      says(
        `The agent ran longer than ${roughSpan(facts.start.limits.timeoutSeconds)}, so the process was stopped.`,
        `Check what it was doing, or raise the time limit of ${wordsOf(facts).limits}.`,
      ),

    runnerShutDown: ({ runner }: AttemptEndFacts) =>
      says(`Runner ${runner} was shut down while the agent was working.`),

    lost: ({ runner }: AttemptEndFacts) =>
      says(`Runner ${runner} lost the agent's process.`, "Check that host's log."),

    killed: ({ runner, exit }: AttemptEndFacts) =>
      exit?.code === 0
        ? says(
            `The agent's process on runner ${runner} exited without a result or an error, as it does when interrupted.`,
            "Check its output and that host's log.",
          )
        : says(
            `The agent's process was killed on runner ${runner} by something other than Tierwatch, such as a reboot or the out-of-memory killer.`,
            "Check that host's log.",
          ),

    crashed: ({ runner, exit, stderrTail }: AttemptEndFacts) =>
      says(
        `The agent's process on runner ${runner} ended with code ${exit?.code ?? 'unknown'} and no result${colon(firstLine(stderrTail))}`,
        'Check its output.',
      ),

    diskFull: (facts: AttemptEndFacts) =>
      says(
        `The disk of runner ${facts.runner} is full, so the agent couldn't continue.`,
        `Free some space on that host, then ${wordsOf(facts).again}.`,
      ),

    resumeRejected({ runner, start }: AttemptEndFacts) {
      const id = start.continuation.mode === 'resume' ? start.continuation.parentCliSessionId : '';
      return says(
        `Couldn't continue the conversation: runner ${runner} has no conversation ${id.slice(0, 8)}….`,
      );
    },

    workDirChanged: ({ runner }: AttemptEndFacts) =>
      says(
        `Couldn't continue the conversation: the work directory on runner ${runner} has changed since then.`,
      ),

    agentChanged: ({ runner, startError, stderrTail }: AttemptEndFacts) =>
      says(
        `The agent on runner ${runner} changed after this start was prepared: ${sentence(startError?.message ?? firstLine(stderrTail))}`,
      ),

    transcriptChanged: ({ runner }: AttemptEndFacts) =>
      says(
        `The stored conversation on runner ${runner} was changed after its process had ended, so it wasn't resumed.`,
        'Find out who can write to the runner’s folder on that host.',
      ),

    sealUnavailable: ({ runner }: AttemptEndFacts, { message }: StartError) =>
      says(
        `The conversation was held on another host, and runner ${runner} couldn't continue its sealed copy: ${sentence(message)}`,
        'Check the storage of sealed conversations, and the disk of that host.',
      ),

    contextExhausted: ({ start }: AttemptEndFacts) =>
      says(
        `The conversation no longer fits into the context window of ${start.model}.`,
        start.purpose === 'ask'
          ? 'Send less at once, remove earlier turns, or start another conversation.'
          : 'Lower the context limit to hand off earlier.',
      ),

    historyUnreplayable: (said: string) =>
      says(`The provider no longer accepts the earlier conversation: ${sentence(firstLine(said))}`),

    auth(facts: AttemptEndFacts, result: ResultEvent) {
      const { runner } = facts;
      const { again } = wordsOf(facts);
      if (/Credit balance/i.test(result.text ?? '')) {
        return says(
          `The model provider refused the request of runner ${runner}: the credit balance is too low.`,
          `Add credit, then ${again}.`,
        );
      }
      if (result.apiErrorStatus === null) {
        return says(
          `The agent on runner ${runner} has no model API key.`,
          `Set ${agent.keyVariable} on that host, then ${again}.`,
        );
      }
      return says(
        `The model provider refused the key of runner ${runner} (${result.apiErrorStatus}).`,
        `Replace the key on that host, then ${again}.`,
      );
    },

    rateLimited: ({ rateLimitResetsAt, rateLimitRetries }: AttemptEndFacts) =>
      says(
        `The model provider's rate limit was reached (429). ${limitEnd(rateLimitResetsAt, rateLimitRetries)}`,
        'Run fewer chains at once, or raise the limit with the provider.',
      ),

    overloaded: (status: number) =>
      status === 529
        ? says('The provider is overloaded (529).')
        : says(`The provider returned an error (${status}).`),

    unreachable: ({ runner }: AttemptEndFacts) =>
      says(
        `Runner ${runner} can't reach the model provider.`,
        `Check that host's network and ${agent.addressVariable}.`,
      ),

    refusedByModel: (facts: AttemptEndFacts) =>
      says(
        `The model ${facts.start.model} declined to answer under the provider's usage policy.`,
        `Change the instructions or the model of ${wordsOf(facts).model}.`,
      ),

    badRequest(facts: AttemptEndFacts, result: ResultEvent) {
      const { model, limits } = wordsOf(facts);
      const refusal = byGateway(result.text ?? '');
      if (refusal !== null) {
        return says(
          `The gateway of runner ${facts.runner} refused the request to the model: ${sentence(refusal)}`,
          `Check the model of ${model}, the tools of ${limits}, and the version of ${agent.label} on the runner’s host.`,
        );
      }
      return result.apiErrorStatus === 404
        ? says(
            `The provider has no model ${facts.start.model} for this key (404).`,
            `Choose another model for ${model}.`,
          )
        : says(
            `The provider refused the request (${result.apiErrorStatus}): ${sentence(firstLine(result.text ?? ''))}`,
            `Check the model of ${model} and the tools of ${limits}.`,
          );
    },

    maxTurns: (facts: AttemptEndFacts) =>
      says(
        `The agent used all ${facts.start.limits.maxTurns} turns without finishing.`,
        `Raise the turn limit of ${wordsOf(facts).limits}, or narrow its task.`,
      ),

    maxBudget({ start }: AttemptEndFacts) {
      const limit = start.limits.maxBudgetUsd;
      const ofIt = limit === null ? '' : ` of $${limit.toFixed(2)}`;
      return says(
        `The agent used up its budget${ofIt} without finishing.`,
        'Raise the budget, or narrow its task.',
      );
    },

    reportMissing: (_: AttemptEndFacts) =>
      says(
        "The agent finished without a report, so its findings can't be used.",
        'Read the log, then run again.',
      ),

    reportInvalid: (_: AttemptEndFacts) =>
      says(
        "The agent's report didn't match the required format after several tries.",
        'Read the log, then run again.',
      ),

    unknown: ({ exit }: AttemptEndFacts, said: string) =>
      says(
        `The agent ended with an error that Tierwatch doesn't know (code ${exit?.code ?? 'none'})${colon(firstLine(said))}`,
        'Check its output.',
      ),
  };
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

function says(happened: string, advice = ''): EndText {
  return { happened, advice };
}

/** What is known of when a rate limit ends. */
function limitEnd(resetsAt: number | null, retries: number): string {
  if (resetsAt !== null) {
    const at = new Date(resetsAt * 1_000).toISOString();
    return `It resets at ${at.slice(0, 10)} ${at.slice(11, 16)} UTC.`;
  }
  return retries > 0
    ? "The reset time isn't known."
    : "The provider asked for a longer wait than the agent's CLI supports. The reset time isn't known.";
}
