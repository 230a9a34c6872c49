/** Reads the agent's stream: reports its events and detects what the runner must act on. */
import type { Agent, OfferedBy, StreamParser } from '@/lib/agents/agent';
import type { HarnessEvent, InitEvent, ResultEvent } from '@/lib/protocol/events';
import type { Watched } from '../process/watch';
import type { AnswerParts } from './answer-parts';
import type { AttemptLog } from './attempt-log';
import type { Questions } from './questions';

export interface StreamFollower extends Watched {
  line(line: string, cutBytes: number): void;
  /** The process says nothing more. */
  end(): void;
  /** The last one counts: a process may print several. */
  readonly lastResult: ResultEvent | null;
  /** As the CLI has confirmed it. */
  readonly cliSessionId: string | null;
}

export function followStream(options: {
  start: OfferedBy;
  parser: StreamParser;
  surplusTools: Agent['surplusTools'];
  log: AttemptLog;
  parts: AnswerParts;
  onSurplus(): void;
  questions: Pick<Questions, 'ask' | 'isOpen'>;
  /** A line that the process waits for. */
  onReply(line: string): void;
  /** The process has said what it had to say, as a rule. */
  onResult(): void;
}): StreamFollower {
  const { log, parts, questions } = options;
  const openCalls = new Set<string>();
  let lastLineAt = 0;
  let lastResult: ResultEvent | null = null;
  let cliSessionId: string | null = null;

  function inspect(init: InitEvent): void {
    cliSessionId ??= init.cliSessionId;
    const surplus = options.surplusTools(options.start, init);
    if (surplus.length > 0) {
      log.notice(
        'critical',
        'SURPLUS_TOOLS',
        `The agent offers tools this tier does not have: ${surplus.join(', ')}. It was stopped.`,
      );
      options.onSurplus();
    }
    for (const { name, status } of init.mcpServers) {
      if (status !== 'failed') continue;
      const message = `The agent could not reach the MCP server ${name}. It continues without its tools.`;
      log.notice('warning', 'MCP_SERVER_FAILED', message);
    }
  }

  function act(event: HarnessEvent): void {
    if (event.kind === 'init') inspect(event);
    if (event.kind === 'tool_call') openCalls.add(event.toolUseId);
    if (event.kind === 'tool_result') openCalls.delete(event.toolUseId);
    if (event.kind !== 'result') return;
    lastResult = event;
    openCalls.clear();
    options.onResult();
  }

  return {
    line(line, cutBytes) {
      lastLineAt = Date.now();
      for (const event of options.parser.push(line, cutBytes)) {
        if (event.kind === 'answer_part') {
          parts.take(event);
          continue;
        }
        if (event.kind === 'text' && event.parentToolUseId === null) parts.end();
        const kept = log.add(event);
        act(event);
        if (event.kind === 'question' && kept.kind === 'question') questions.ask(event, kept);
      }
      for (const reply of options.parser.requests?.takeReplies() ?? []) options.onReply(reply);
    },
    end: parts.end,
    get lastLineAt() {
      return lastLineAt;
    },
    get hasOpenCall() {
      return openCalls.size > 0;
    },
    get isAsking() {
      return questions.isOpen;
    },
    get lastResult() {
      return lastResult;
    },
    get cliSessionId() {
      return cliSessionId;
    },
  };
}
