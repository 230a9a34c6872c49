/**
 * What one process asks for on stdout and waits for on stdin. A question for a person becomes an
 * event; everything else is refused at once, since a request that stays open holds the agent up
 * for ever.
 */
import type { HarnessEvent, QuestionEvent } from '@/lib/protocol/events';
import type { ProcessRequests } from '../agent';
import { type ControlRequest, controlRequestLine, questionInput } from './cli-lines';
import { QUESTION_TOOL } from './offered-tools';

/** A question has to fit into one event uncut: its texts are the keys of the answers. */
const MAX_QUESTION_BYTES = 16_000;

const UNREADABLE =
  'The question could not be shown. Continue without it, or ask one shorter question.';

interface ControlRequests extends ProcessRequests {
  /** @throws ZodError for a line that nothing could be answered to */
  requested(line: object): HarnessEvent[];
  /** The process no longer needs an answer to one of its requests. */
  withdrawn(line: object): void;
  /** A request that was too long to be read; its id is at the start. */
  cut(line: string): void;
}

export function createControlRequests(): ControlRequests {
  const replies: string[] = [];
  /** Input of the open questions by request, as the tool gets it back. */
  const open = new Map<string, Record<string, unknown>>();

  function question(request: ControlRequest): QuestionEvent | null {
    const { input } = request.request;
    const parsed = questionInput.safeParse(input);
    if (!parsed.success || Buffer.byteLength(JSON.stringify(input)) > MAX_QUESTION_BYTES) {
      return null;
    }
    open.set(request.request_id, input);
    return {
      kind: 'question',
      requestId: request.request_id,
      toolUseId: request.request.tool_use_id,
      questions: parsed.data.questions,
    };
  }

  function take(requestId: string): Record<string, unknown> | null {
    const input = open.get(requestId) ?? null;
    open.delete(requestId);
    return input;
  }

  return {
    requested(line) {
      const request = controlRequestLine.parse(line);
      const { request_id: id } = request;
      const { subtype, tool_name: tool } = request.request;
      if (subtype !== 'can_use_tool') {
        replies.push(failure(id, `Tierwatch does not answer ${subtype} requests.`));
        return [];
      }
      if (tool !== QUESTION_TOOL) {
        replies.push(denial(id, refusal(tool ?? 'this tool')));
        return [];
      }
      const asked = question(request);
      if (asked === null) replies.push(denial(id, UNREADABLE));
      return asked === null ? [] : [asked];
    },
    withdrawn(line) {
      if ('request_id' in line) take(String(line.request_id));
    },
    cut(line) {
      const id = /"request_id":"([^"\\]+)"/.exec(line)?.[1];
      if (id !== undefined) replies.push(denial(id, UNREADABLE));
    },
    takeReplies: () => replies.splice(0),
    answer(requestId, answers) {
      const input = take(requestId);
      if (input === null) return null;
      return success(requestId, { behavior: 'allow', updatedInput: { ...input, answers } });
    },
    decline: (requestId, reason) => (take(requestId) ? denial(requestId, reason) : null),
  };
}

/** Begins as the CLI's own refusals do, by which a call is known as refused. */
function refusal(tool: string): string {
  return `Permission to use ${tool} has been denied: no rule of this start allows it, and nobody can allow it now. Continue without it.`;
}

function denial(requestId: string, message: string): string {
  return success(requestId, { behavior: 'deny', message });
}

function success(requestId: string, response: object): string {
  return controlResponse({ subtype: 'success', request_id: requestId, response });
}

function failure(requestId: string, error: string): string {
  return controlResponse({ subtype: 'error', request_id: requestId, error });
}

function controlResponse(response: object): string {
  return JSON.stringify({ type: 'control_response', response });
}
