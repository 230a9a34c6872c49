import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { visibleText } from '@/lib/platform/format/visible-text';
import { questionClosedEventSchema, questionEventSchema } from '@/lib/protocol/events';
import { listEvents } from './events';
import { getSession } from './get-session';
import { questionWords } from './question-words';
import type { SessionEventDto } from './schema';

const BATCH = 500;
/** Also where a log ends that is deleted while it is being read. */
const DELETED =
  'The log was deleted when its retention ended. Report, cost and decisions are kept.\n';

/**
 * Streams the whole log as a text file, read page by page.
 *
 * @throws NotFoundError before the response starts
 */
export async function writeLog(
  scope: TenantScope,
  reference: { project: string; number: number },
): Promise<Response> {
  const session = await getSession(scope, reference);
  const encoder = new TextEncoder();
  let after = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const page = await listEvents(scope, session.id, { after, limit: BATCH });
      const isDeleted = page.logState === 'deleted_by_retention';
      const text = isDeleted ? DELETED : page.events.map(eventText).join('');
      if (text !== '') controller.enqueue(encoder.encode(text));
      after = page.events.at(-1)?.seq ?? after;
      if (page.events.length < BATCH) controller.close();
    },
  });
  const name = `${session.project.slug}-session-${session.number}.txt`;
  return new Response(body, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  });
}

/**
 * Returns an event as lines of a text file: time, number, kind, then its content. Nothing in it acts
 * on a terminal that the file is printed to.
 */
export function eventText({ seq, at, kind, payload, isLate }: SessionEventDto): string {
  const head = `${at} ${seq} ${kind}${isLate ? ' late' : ''}`;
  const lines = visibleText(bodyOf(kind, payload)).trimEnd().split('\n');
  const [first = '', ...others] = lines;
  return [`${head} ${first}`.trimEnd(), ...others.map((line) => `    ${line}`), ''].join('\n');
}

function bodyOf(kind: string, payload: Record<string, unknown>): string {
  const word = (key: string) => (typeof payload[key] === 'string' ? payload[key] : '');
  switch (kind) {
    case 'text':
    case 'answer_part':
    case 'stderr':
      return word('text');
    case 'notice':
      return `${word('level')} ${word('code')} ${word('message')}`;
    case 'tool_call':
      return `${word('tool')} ${JSON.stringify(payload.input)}`;
    case 'tool_result': {
      const exit = payload.exitCode === null ? '' : `exit ${String(payload.exitCode)}`;
      const state = payload.denied === true ? 'denied' : exit;
      const output = word('stdout') || (word('stderr') ? '' : word('content'));
      const errors = word('stderr') ? `\nstderr:\n${word('stderr')}` : '';
      return `${state}\n${output}${errors}`;
    }
    case 'question':
    case 'question_closed':
      return storedQuestionWords(kind, payload);
    default: {
      const { kind: _kind, ...rest } = payload;
      return JSON.stringify(rest);
    }
  }
}

const storedSchema = z.discriminatedUnion('kind', [questionEventSchema, questionClosedEventSchema]);

/** Returns the same for a stored event's payload; its JSON if it has another format. */
export function storedQuestionWords(kind: string, payload: Record<string, unknown>): string {
  const parsed = storedSchema.safeParse({ ...payload, kind });
  return parsed.success ? questionWords(parsed.data) : JSON.stringify(payload);
}
