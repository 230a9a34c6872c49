import type { SessionEventDto } from './schema';
import { storedQuestionWords } from './stored-question-words';

/** An event as lines of a text file: time, number, kind, then what it says. */
export function eventText({ seq, at, kind, payload, isLate }: SessionEventDto): string {
  const head = `${at} ${seq} ${kind}${isLate ? ' late' : ''}`;
  const lines = bodyOf(kind, payload).trimEnd().split('\n');
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
