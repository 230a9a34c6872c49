/** A conversation as someone with the REST API holds it. */
import {
  type ConversationDetail,
  conversationDetailSchema,
  type NewConversation,
  type NewTurn,
  type QuestionDto,
  type TurnDto,
  turnDtoSchema,
} from '@/lib/conversations/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { eventually } from '../../bootstrap/eventually';
import type { ApiClient } from '../../support/system/api-client';
import { eventsOf } from '../../support/system/chain-run';

/** A machine that tests share with others may take its time. */
const PATIENCE_MS = 120_000;

export interface Conversation {
  id: string;
  read(): Promise<ConversationDetail>;
  turns(): Promise<TurnDto[]>;
  /** Sends a message; its turn is not waited for. */
  send(message: string, options?: Partial<NewTurn>): Promise<TurnDto>;
  /** Sends a message and waits for the turn's end. */
  ask(message: string, options?: Partial<NewTurn>): Promise<TurnDto>;
  /** The newest turn, once it has ended. */
  ended(): Promise<TurnDto>;
  /** The question that the agent of the newest turn waits for. */
  question(): Promise<QuestionDto>;
  /** Answers that question, each part with the same words. */
  answer(question: QuestionDto, words: string): Promise<Response>;
}

/** Begins one with its first message, which is not waited for. */
export async function startConversation(
  api: ApiClient,
  about: Partial<NewConversation> & { message: string },
): Promise<Conversation> {
  const { id } = await api.post('conversations', about, conversationDetailSchema);
  return conversationOf(api, id);
}

export function conversationOf(api: ApiClient, id: string): Conversation {
  const path = `conversations/${id}/turns`;
  const turns = async () => (await api.get(path, pageSchema(turnDtoSchema))).data;
  const newest = async () => {
    const last = (await turns()).at(-1);
    if (!last) throw new Error('The conversation has no turn.');
    return last;
  };
  const send: Conversation['send'] = (message, options = {}) =>
    api.post(path, { message, ...options }, turnDtoSchema);
  const ended = () =>
    eventually(
      'the turn has ended',
      async () => {
        const turn = await newest();
        return turn.endedAt === null ? null : turn;
      },
      PATIENCE_MS,
    );
  return {
    id,
    read: () => api.get(`conversations/${id}`, conversationDetailSchema),
    turns,
    send,
    ended,
    async ask(message, options) {
      await send(message, options);
      return ended();
    },
    question: () =>
      eventually(
        'the agent asks',
        async () => (await newest()).questions.find(({ status }) => status === 'open'),
        PATIENCE_MS,
      ),
    async answer({ id: questionId, questions }, words) {
      const answers = questions.map(({ question }) => ({ question, answer: words }));
      const { id: turnId } = await newest();
      return api.send('POST', `${path}/${turnId}/answer`, { questionId, answers });
    },
  };
}

export interface StartedProcess {
  argv: string[];
  /** What went in by stdin. */
  prompt: string;
  cliSessionId: string | null;
  /** The conversation that it continues. */
  resumed: string | null;
}

/** Every process that was started for a turn, in order. */
export async function processesOf(api: ApiClient, turn: TurnDto): Promise<StartedProcess[]> {
  const events = await eventsOf(api, turn.session.id);
  return events.flatMap(({ kind, payload }) => {
    if (kind !== 'command') return [];
    const argv = payload.argv as string[];
    const flag = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : null);
    return [
      {
        argv,
        prompt: String(payload.prompt),
        cliSessionId: flag('--session-id') ?? null,
        resumed: flag('--resume') ?? null,
      },
    ];
  });
}
