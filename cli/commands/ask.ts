import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import {
  conversationDetailSchema,
  type QuestionDto,
  type TurnDto,
  turnDtoSchema,
} from '@/lib/conversations/schema';
import { formatCost } from '@/lib/platform/format/cost';
import { formatCounted } from '@/lib/platform/format/count';
import { visibleText } from '@/lib/platform/format/visible-text';
import { pageSchema } from '@/lib/platform/http/cursor';
import type { ApiClient } from '../client';
import type { ContextOf } from '../context';
import { CommandError, EXIT } from '../exit-code';

const POLL_MS = 500;

const turnsSchema = pageSchema(turnDtoSchema);

export function addAskCommands(program: Command, contextOf: ContextOf): void {
  program
    .command('ask <about> <message>')
    .description('Ask the agent; <about> is a project, a chain that has ended, or a conversation')
    .option('--fresh', 'don’t resume the conversation; start from the full transcript')
    .option('--agent <name>', 'name of the project’s agent to ask')
    .option('--no-wait', 'don’t wait for the answer')
    .action(async (about, message, options, command) => {
      const { api, print, terminal } = contextOf(command);
      const newMessage = { message, agent: options.agent, forceFresh: options.fresh };
      const sent = await send(api, about, newMessage);
      if (!options.wait) {
        print(`Asked in ${sent.conversationId} (${sent.id}).`, sent);
        return;
      }
      const said = new Set<string>();
      const ended = await waitForAnswer(api, sent, (question) => {
        if (said.has(question.id)) return;
        said.add(question.id);
        terminal.stderr.write(`${questionText(question, sent.conversationId)}\n`);
      });
      print(turnText(ended), ended);
      if (ended.answer === null) terminal.exitCode = EXIT.notAnswered;
    });
  program
    .command('answer <conversation> <answers...>')
    .description('Answer a question of the agent: one answer per part, in order')
    .action(async (conversation, answers, _options, command) => {
      const { api, print } = contextOf(command);
      const { data } = await api.request('GET', turnsOf(conversation), turnsSchema);
      const open = data.flatMap((turn) =>
        turn.questions
          .filter(({ status }) => status === 'open')
          .map((question) => ({ turn, question })),
      );
      const [first] = open;
      if (!first) throw new CommandError('The agent has no open question in this conversation.');
      const { turn, question } = first;
      if (answers.length !== question.questions.length) {
        const asked = questionText(question, conversation);
        throw new CommandError(
          `${asked}\nGive ${formatCounted(question.questions.length, 'answer')}.`,
          EXIT.usage,
        );
      }
      const body = {
        questionId: question.id,
        answers: question.questions.map((part, index) => {
          return { question: part.question, answer: answers[index] };
        }),
      };
      const path = `${turnsOf(conversation)}/${turn.id}/answer`;
      print('Answered.', await api.request('POST', path, turnDtoSchema, body));
    });
}

interface NewMessage {
  message: string;
  agent: string | undefined;
  forceFresh: boolean | undefined;
}

async function send(api: ApiClient, about: string, newMessage: NewMessage): Promise<TurnDto> {
  if (about.startsWith('cnv_'))
    return api.request('POST', turnsOf(about), turnDtoSchema, newMessage);
  const subject = about.startsWith('chn_') ? { chain: about } : { project: about };
  const body = { ...subject, ...newMessage };
  const { id } = await api.request('POST', 'conversations', conversationDetailSchema, body);
  const { data } = await api.request('GET', turnsOf(id), turnsSchema);
  const [first] = data;
  if (!first) throw new CommandError('The server created the conversation without its message.');
  return first;
}

async function waitForAnswer(
  api: ApiClient,
  { conversationId, id }: TurnDto,
  onQuestion: (question: QuestionDto) => void,
): Promise<TurnDto> {
  const path = `${turnsOf(conversationId)}/${id}`;
  for (;;) {
    const turn = await api.request('GET', path, turnDtoSchema);
    if (turn.endedAt !== null) return turn;
    turn.questions.filter(({ status }) => status === 'open').forEach(onQuestion);
    await delay(POLL_MS);
  }
}

function turnsOf(conversation: string): string {
  return `conversations/${encodeURIComponent(conversation)}/turns`;
}

/** Returns the answer, followed by a line with agent, tokens and cost. */
function turnText(turn: TurnDto): string {
  const { usage, start } = turn;
  const tokens = `${usage.newInputTokens.toLocaleString('en')} new tokens, ${usage.cachedInputTokens.toLocaleString('en')} from cache`;
  const cost = `${formatCost(usage.costUsd * 1_000_000)}${usage.isCostEstimated ? ' est.' : ''}`;
  const lines = [
    turn.answer ?? `Not answered: ${turn.statusText}`,
    '',
    `${turn.conversationId}, turn ${turn.position}, ${turn.agent}, ${tokens}, ${cost}`,
    ...(start ? [start.sentence] : []),
    ...(turn.continued === null ? [] : [turn.continued]),
  ];
  return visibleText(lines.join('\n'));
}

/** Returns the agent's question with its choices and the command that answers it. */
function questionText({ questions }: QuestionDto, conversationId: string): string {
  const parts = questions.flatMap(({ question, multiSelect, options }) => [
    `${question}${multiSelect ? ' (several, separated by commas)' : ''}`,
    ...options.map(
      ({ label, description }) => `  ${label}${description ? `: ${description}` : ''}`,
    ),
  ]);
  const hint = `Answer with: tierwatch answer ${conversationId} ${questions.map(() => '"…"').join(' ')}`;
  return visibleText(['The agent asks:', ...parts, hint].join('\n'));
}
