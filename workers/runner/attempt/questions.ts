/** The agent's questions for a person: each is answered once, runs out, or ends with the process. */

import type { ProcessRequests } from '@/lib/agents/agent';
import { formatCounted } from '@/lib/platform/format/count';
import type { QuestionAnswers, QuestionClosedEvent, QuestionEvent } from '@/lib/protocol/events';
import type { AttemptLog } from './attempt-log';

export interface Questions {
  /** The agent waits for a person. */
  readonly isOpen: boolean;
  /** `asked` is in the agent's words, `kept` in those that people read: without its secrets. */
  ask(asked: QuestionEvent, kept: QuestionEvent): void;
  /** Hands answers to the process. One that comes again, or too late, changes nothing. */
  answer(requestId: string, answers: QuestionAnswers): void;
  /** The process is ending: what is open stays without an answer. */
  cancel(): void;
}

interface OpenQuestion {
  asked: QuestionEvent;
  kept: QuestionEvent;
  timer: NodeJS.Timeout;
}

export function createQuestions(options: {
  /** From the start; null where the agent cannot ask. */
  waitSeconds: number | null;
  requests: Pick<ProcessRequests, 'answer' | 'decline'>;
  /** False when the process no longer accepts input. */
  send(line: string): boolean;
  log: Pick<AttemptLog, 'add'>;
}): Questions {
  const { requests, send, log } = options;
  const waitSeconds = options.waitSeconds ?? 0;
  const open = new Map<string, OpenQuestion>();
  let isOver = false;

  /** `line`: the reply to the process; null when it no longer waits. */
  function close(
    requestId: string,
    line: string | null,
    closed: Pick<QuestionClosedEvent, 'outcome' | 'answers'>,
  ): void {
    clearTimeout(open.get(requestId)?.timer);
    open.delete(requestId);
    const isSent = line !== null && send(line);
    const end = isSent ? closed : { outcome: 'cancelled' as const, answers: null };
    log.add({ kind: 'question_closed', requestId, ...end });
  }

  function expire(requestId: string): void {
    const line = requests.decline(requestId, nobodyAnswered(waitSeconds));
    close(requestId, line, { outcome: 'expired', answers: null });
  }

  return {
    get isOpen() {
      return open.size > 0;
    },
    ask(asked, kept) {
      const { requestId } = asked;
      const timer = setTimeout(() => expire(requestId), waitSeconds * 1_000);
      open.set(requestId, { asked, kept, timer });
      if (isOver) close(requestId, null, { outcome: 'cancelled', answers: null });
    },
    answer(requestId, answers) {
      const question = open.get(requestId);
      if (!question) return;
      const line = requests.answer(requestId, inTheAgentsWords(question, answers));
      close(requestId, line, { outcome: 'answered', answers });
    },
    cancel() {
      isOver = true;
      for (const requestId of [...open.keys()]) {
        close(requestId, null, { outcome: 'cancelled', answers: null });
      }
    },
  };
}

/** People answered what they read; the agent looks for its answer under what it asked. */
function inTheAgentsWords({ asked, kept }: OpenQuestion, answers: QuestionAnswers) {
  return Object.fromEntries(
    asked.questions.flatMap(({ question }, index) => {
      const answer = answers[kept.questions[index]?.question ?? question];
      return answer === undefined ? [] : [[question, answer]];
    }),
  );
}

function nobodyAnswered(waitSeconds: number): string {
  const waited =
    waitSeconds < 60
      ? formatCounted(waitSeconds, 'second')
      : formatCounted(Math.round(waitSeconds / 60), 'minute');
  return `Nobody answered within ${waited}. Continue without an answer, and say what you would have asked.`;
}
