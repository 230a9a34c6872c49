/** A turn in whose middle the agent asks a person, for tests of what becomes of the question. */

import { expect } from 'vitest';
import type { QuestionDto } from '@/lib/conversations/schema';
import { askTurn } from '@/lib/conversations/turns';
import { recordHeartbeat } from '@/lib/engine/directives';
import { answerQuestion } from '@/lib/engine/kinds/turn/questions';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import type { Cast } from '@/tests/support/cast/organization';
import { claimNext, eventsOf } from '@/tests/support/cast/scripted-attempt';
import { send } from '../../engine/support/running';
import { type Talk, talk } from './asking';

export const REQUEST_ID = 'request-1';
export const SERVICE = {
  question: 'Which service do you mean?',
  header: 'Service',
  multiSelect: false,
  options: [
    { label: 'web', description: 'the site' },
    { label: 'db', description: 'the data' },
  ],
};
export const SINCE = { question: 'Since when?', header: 'Since', multiSelect: false, options: [] };

export const asks = (requestId = REQUEST_ID, questions = [SERVICE]): RunnerEvent => ({
  kind: 'question',
  requestId,
  toolUseId: `use-${requestId}`,
  questions,
});

/** As the stream tells it, before the process waits. */
const call = (questions: (typeof SERVICE)[]): RunnerEvent => ({
  kind: 'tool_call',
  messageId: 'm-asks',
  toolUseId: `use-${REQUEST_ID}`,
  tool: 'AskUserQuestion',
  input: { questions },
  parentToolUseId: null,
});

export function closes(
  outcome: 'answered' | 'expired' | 'cancelled',
  requestId = REQUEST_ID,
): RunnerEvent {
  const answers = outcome === 'answered' ? { [SERVICE.question]: 'web' } : null;
  return { kind: 'question_closed', requestId, outcome, answers };
}

export const ANSWER_WEB = [{ question: SERVICE.question, answer: 'web' }];

export interface Asked extends Talk {
  spec: AttemptSpec;
  turnId: string;
  /** As people see it. */
  question(): Promise<QuestionDto>;
  answer(answers?: typeof ANSWER_WEB, scope?: TenantScope): Promise<void>;
  /** What the runner is told at its next heartbeat. */
  directives(): Promise<unknown[]>;
}

/** The second turn of a conversation, stopped where its agent waits for an answer. */
export async function asked(cast: Cast, questions = [SERVICE]): Promise<Asked> {
  const conversation = await talk(cast);
  await askTurn(cast.alice, conversation.id, { message: 'Is it well?', forceFresh: false });
  const spec = await claimNext(cast.runner);
  const begun = eventsOf(spec, { isSilent: true, events: [call(questions)] });
  await send(cast.runner, spec, [...begun, asks(REQUEST_ID, questions)]);
  const { id: turnId } = await conversation.lastTurn();
  const question = async () => {
    const [only, ...others] = (await conversation.lastTurn()).questions;
    expect(others).toEqual([]);
    if (!only) throw new Error('The agent asks nothing.');
    return only;
  };
  return {
    ...conversation,
    spec,
    turnId,
    question,
    async answer(answers = ANSWER_WEB, scope = cast.alice) {
      const { id: questionId } = await question();
      await answerQuestion(scope, conversation.id, turnId, { questionId, answers });
    },
    async directives() {
      const { attemptId, fence } = spec;
      const running = [{ attemptId, fence }];
      const beat = { protocol: 1 as const, capabilities: TEST_CAPABILITIES, running };
      return (await recordHeartbeat(cast.runner, beat)).directives;
    },
  };
}

/** How many events of an attempt are stored. */
export async function storedEvents(cast: Cast, { attemptId }: AttemptSpec): Promise<number> {
  const attempt = await inTransaction(cast.alice, (db) =>
    db.attempt.findFirstOrThrow({ where: { id: attemptId } }),
  );
  return attempt.ackedSeq;
}
