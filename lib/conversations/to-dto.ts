import { storedQuestionsSchema } from '@/lib/engine/kinds/turn/questions';
import { sessionStatusSchema } from '@/lib/engine/statuses';
import { usdOf } from '@/lib/platform/format/cost';
import { encodeId } from '@/lib/platform/ids';
import { questionAnswersSchema } from '@/lib/protocol/events';
import type { ConversationFigures, ConversationListRow, TurnRow } from './data';
import {
  type ConversationDto,
  type QuestionDto,
  questionDtoSchema,
  type TurnDto,
  turnStartSchema,
} from './schema';

export function toConversationDto(
  row: ConversationListRow,
  figures: ConversationFigures | undefined,
): ConversationDto {
  const { id, slug, name } = row.project;
  const phase = figures?.phase ?? 'idle';
  return {
    id: encodeId('cnv', row.id),
    project: { id: encodeId('prj', id), slug, name },
    chain: row.chain && { id: encodeId('chn', row.chain.id), number: row.chain.number },
    title: row.title,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    lastTurnAt: row.lastTurnAt.toISOString(),
    turns: figures?.turns ?? 0,
    isBusy: phase !== 'idle',
    phase,
    costUsd: figures?.micros == null ? null : usdOf(figures.micros),
  };
}

export function toTurnDto(row: TurnRow): TurnDto {
  const { session } = row;
  const [attempt] = session.attempts;
  const { startedAt, endedAt } = session;
  return {
    id: encodeId('trn', row.id),
    conversationId: encodeId('cnv', row.conversationId),
    position: row.position,
    session: {
      id: encodeId('ses', session.id),
      number: session.number,
      lastSeq: session.lastSeq,
    },
    agent: row.agent,
    model: session.model,
    author: row.author,
    message: row.message,
    answer: row.answer,
    status: sessionStatusSchema.parse(session.status),
    statusText: session.statusText,
    forceFresh: row.isForcedFresh,
    start: startOf(session),
    continued: continuedOf(session),
    usage: usageOf(session.ledger),
    contextTokens: attempt?.contextTokens ?? null,
    contextWindow: attempt?.contextWindow ?? null,
    questions: row.questions.map(toQuestionDto),
    createdAt: row.createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    durationMs: startedAt && endedAt ? endedAt.getTime() - startedAt.getTime() : null,
    cutAt: row.cutAt?.toISOString() ?? null,
    cutBy: row.cutBy,
    stoppedBy: row.stoppedBy,
  };
}

/** Ends that come before the process as well as in it. */
const BEFORE_THE_PROCESS = [
  'start_failed',
  'work_dir_changed',
  'transcript_changed',
  'seal_unavailable',
  'agent_changed',
  'disk_full',
];

function startOf({ decisions, isFallback, attempts }: TurnRow['session']): TurnDto['start'] {
  const ofContinuations = new Set(
    attempts.filter(({ purpose }) => purpose === 'continue').map(({ id }) => id),
  );
  const decision = decisions.find(
    ({ kind, attemptId }) => kind === 'continuation' && !ofContinuations.has(attemptId ?? ''),
  );
  if (!decision) return null;
  const { verdict, reason, attemptId } = decision;
  const mode = turnStartSchema.shape.mode.parse(verdict);
  const attempt = attempts.find(({ id }) => id === attemptId);
  const hasExited = attempt?.exitCode != null || attempt?.exitSignal != null;
  const isSent =
    mode !== 'refuse' && (hasExited || !BEFORE_THE_PROCESS.includes(attempt?.end ?? ''));
  const sentence =
    isSent || mode === 'refuse'
      ? decision.sentence
      : 'Nothing was sent: the agent couldn’t be started.';
  return { mode, reason, sentence, isFallback, isSent };
}

/** Returns how it continued after it went silent; if that was refused, why. */
function continuedOf({ decisions }: TurnRow['session']): string | null {
  const index = decisions.findIndex(({ kind }) => kind === 'after_end');
  const silence = decisions[index];
  if (!silence) return null;
  // The newest comes first.
  const started = decisions[index - 1];
  const refusal = started?.verdict === 'refuse' ? ` ${started.sentence}` : '';
  return `${silence.sentence}${refusal}`;
}

function usageOf(ledger: TurnRow['session']['ledger']): TurnDto['usage'] {
  const sum = (pick: (line: (typeof ledger)[number]) => bigint) =>
    ledger.reduce((total, line) => total + pick(line), 0n);
  return {
    newInputTokens: Number(sum((line) => line.inputTokens + line.cacheWriteTokens)),
    cachedInputTokens: Number(sum((line) => line.cacheReadTokens)),
    outputTokens: Number(sum((line) => line.outputTokens)),
    costUsd: usdOf(sum((line) => line.costMicros)),
    isCostEstimated: ledger.some((line) => line.isEstimate),
  };
}

function toQuestionDto(row: TurnRow['questions'][number]): QuestionDto {
  const answers = questionAnswersSchema.safeParse(row.answers);
  return {
    id: encodeId('qst', row.id),
    questions: storedQuestionsSchema.parse(row.questions),
    status: questionDtoSchema.shape.status.parse(row.status),
    answers: answers.success ? answers.data : null,
    askedAt: row.askedAt.toISOString(),
    answeredBy: row.answeredBy,
    answeredAt: row.answeredAt?.toISOString() ?? null,
  };
}
