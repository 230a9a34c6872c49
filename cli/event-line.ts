import { storedQuestionWords } from '@/lib/insight/sessions/write-log';
import { visibleText } from '@/lib/platform/format/visible-text';

interface ShownEvent {
  kind: string;
  payload: Record<string, unknown>;
}

/** Returns a session event as a terminal line; null for events that only pages show. */
export function eventLine({ kind, payload }: ShownEvent): string | null {
  const line = describe(kind, payload);
  return line === null ? null : visibleText(line);
}

function describe(kind: string, payload: Record<string, unknown>): string | null {
  switch (kind) {
    case 'text':
      return textOf(payload.text);
    case 'answer_part':
      return `${textOf(payload.text)} [unfinished]`;
    case 'tool_call':
      return callLine(textOf(payload.tool), payload.input);
    case 'tool_result':
      return resultLine(payload);
    case 'notice':
      return `! ${textOf(payload.message)}`;
    case 'check_result':
      return `  check ${textOf(payload.service)} ${textOf(payload.type)}: ${textOf(payload.status)} ${textOf(payload.error)}`.trimEnd();
    case 'stderr':
      return `stderr: ${textOf(payload.text)}`;
    case 'result':
      return payload.isError ? `= ended with an error: ${textOf(payload.subtype)}` : '= ended';
    case 'question':
    case 'question_closed':
      return `? ${storedQuestionWords(kind, payload)}`;
    default:
      return null;
  }
}

function callLine(tool: string, input: unknown): string {
  const values = typeof input === 'object' && input !== null ? input : {};
  if (tool === 'Bash' && 'command' in values) return `$ ${textOf(values.command)}`;
  return `> ${tool} ${JSON.stringify(values)}`;
}

function resultLine(payload: Record<string, unknown>): string {
  if (payload.denied) return `  refused: ${textOf(payload.content)}`;
  const exit = typeof payload.exitCode === 'number' ? ` (exit ${payload.exitCode})` : '';
  const text = textOf(payload.content).trimEnd().replaceAll('\n', '\n  ');
  return `  ${payload.isError ? 'failed' : 'done'}${exit}: ${text}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
