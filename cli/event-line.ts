import { storedQuestionWords } from '@/lib/insight/sessions/write-log';
import { visibleText } from '@/lib/platform/format/visible-text';
import { type BrokeredEvent, brokeredEvent } from '@/lib/protocol/confined-events';

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
    case 'brokered':
      return commandLine(brokeredEvent.safeParse({ ...payload, kind }).data);
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

/** One that ran outside the sandbox, or didn't. The start of one that may change something is a line of its own, since its end may be missing. */
function commandLine(command: BrokeredEvent | undefined): string | null {
  if (!command) return null;
  const { phase, refusal, end } = command;
  const line = command.argv.join(' ');
  if (phase === 'refused') return `  not run: ${line}: ${refusal?.message ?? ''}`;
  if (phase === 'left_running') return `  could not be ended, and may still run: ${line}`;
  if (phase === 'started') return command.changes ? `  about to run: ${line}` : null;
  if (end?.error) return `  not started: ${line}: ${end.error}`;
  return `  ran (${end?.signal ?? `exit ${end?.exitCode ?? 'unknown'}`}): ${line}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
