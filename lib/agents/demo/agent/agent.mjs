// @ts-check
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { decidePermission } from './permissions.mjs';
import { runShell } from './shell.mjs';

export const QUESTION_TOOL = 'AskUserQuestion';

/** Between a few words and the next ones of an answer. */
const WORDS_MS = 60;

/**
 * @typedef {{ tool: string, input: Record<string, unknown> }} ToolCall
 * @typedef {{ text: string, isError: boolean, isDenied: boolean }} ToolAnswer
 */

/** The run is over before the work was: turns or money ran out. */
export class LimitReached extends Error {
  /** @param {string} subtype @param {string} message @param {string | undefined} terminalReason */
  constructor(subtype, message, terminalReason) {
    super(message);
    this.subtype = subtype;
    this.terminalReason = terminalReason;
  }
}

/** Turns steps into what a model's requests and tool calls look like, and really runs the tools. */
export class Agent {
  turns = 0;
  /** @type {{ tool_name: string, tool_use_id: string, tool_input: unknown }[]} */
  denials = [];
  /** Ends the tool that runs now; null between tools. @type {(() => void) | null} */
  stopTool = null;

  /**
   * @param {{ flags: import('./flags.mjs').Flags, conversation: import('./conversation.mjs').Conversation,
   *   output: import('./output.mjs').Output, meter: import('./usage.mjs').Meter,
   *   servers: import('./mcp-servers.mjs').McpServer[], systemPrompt: string, paceMs: number | null,
   *   ask: import('./input.mjs').Input['ask'] }} parts
   */
  constructor(parts) {
    this.parts = parts;
  }

  /**
   * One request: a text, and a tool call with its answer.
   * @param {string} text @param {ToolCall} [call] @returns {Promise<ToolAnswer>}
   */
  async step(text, call) {
    const toolUseId = `toolu_demo_${randomBytes(9).toString('hex')}`;
    /** @type {import('./conversation.mjs').Block[]} */
    const blocks = text ? [{ type: 'text', text }] : [];
    if (call) blocks.push({ type: 'tool_use', id: toolUseId, name: call.tool, input: call.input });
    await this.#request(blocks, call ? 'tool_use' : 'end_turn');
    if (!call) return { text: '', isError: false, isDenied: false };
    const answer = await this.#run(toolUseId, call);
    this.#answer(toolUseId, answer);
    return { text: flatten(answer.content), isError: answer.isError, isDenied: answer.isDenied };
  }

  /** @param {import('./conversation.mjs').Block[]} blocks @param {string} stopReason */
  async #request(blocks, stopReason) {
    const { flags, conversation, output, meter, systemPrompt } = this.parts;
    if (flags.maxTurns !== null && this.turns >= flags.maxTurns) {
      const message = `Reached maximum number of turns (${flags.maxTurns})`;
      throw new LimitReached('error_max_turns', message, 'max_turns');
    }
    if (flags.maxBudgetUsd !== null && meter.costUsd >= flags.maxBudgetUsd) {
      const message = `Reached maximum budget ($${flags.maxBudgetUsd})`;
      throw new LimitReached('error_max_budget_usd', message, undefined);
    }
    this.turns += 1;
    await this.#pause();
    const usage = meter.begin(conversation.messages, systemPrompt);
    const id = `msg_demo_${randomBytes(9).toString('hex')}`;
    const message = { id, type: 'message', role: 'assistant', model: meter.name };
    const head = { ...message, content: [], stop_reason: null, stop_sequence: null, usage };
    output.partial({ type: 'message_start', message: head });
    for (const [index, block] of blocks.entries()) {
      if (block.type === 'text' && stopReason === 'end_turn') {
        await this.#write(index, block.text ?? '');
      }
      output.event({
        type: 'assistant',
        message: { ...head, content: [block] },
        parent_tool_use_id: null,
      });
    }
    const final = { ...usage, output_tokens: meter.end(blocks) };
    const delta = { stop_reason: stopReason, stop_sequence: null };
    output.partial({ type: 'message_delta', delta, usage: final });
    output.partial({ type: 'message_stop' });
    conversation.append(
      { role: 'assistant', content: blocks },
      { model: meter.name, usage: final },
    );
  }

  /** @param {string} toolUseId @param {ToolCall} call */
  async #run(toolUseId, { tool, input }) {
    if (tool === 'StructuredOutput') return done('Structured output provided successfully');
    const permission = decidePermission(tool, input, this.parts.flags);
    if (permission.kind !== 'allowed') {
      if (permission.kind === 'denied') {
        this.denials.push({ tool_name: tool, tool_use_id: toolUseId, tool_input: input });
      }
      return { ...failed(permission.message), isDenied: true };
    }
    if (tool === QUESTION_TOOL) return this.#ask(toolUseId, input);
    this.stopTool = () => {};
    try {
      if (tool === 'Bash') {
        const answer = await runShell(String(input.command), (kill) => (this.stopTool = kill));
        return { ...answer, isDenied: false };
      }
      if (tool === 'Write') {
        writeFileSync(String(input.file_path), String(input.content), { mode: 0o600 });
        return done(`File created successfully at: ${input.file_path}`);
      }
      return await this.#callServer(tool, input);
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    } finally {
      this.stopTool = null;
    }
  }

  /** A person answers, by a line on stdin. @param {string} toolUseId @param {Record<string, unknown>} input */
  async #ask(toolUseId, input) {
    const { ask, output } = this.parts;
    if (ask === null) return failed(`Permission to use ${QUESTION_TOOL} has been denied.`);
    const request = { subtype: 'can_use_tool', tool_name: QUESTION_TOOL, input };
    const verdict = await ask((requestId) =>
      output.request(requestId, { ...request, tool_use_id: toolUseId }),
    );
    if (verdict.behavior === 'deny') return failed(verdict.message);
    const answers = Object.entries(verdict.updatedInput.answers ?? {})
      .map(([question, answer]) => `"${question}"="${answer}"`)
      .join(', ');
    const content = `Your questions have been answered: ${answers}. You can now continue with these answers in mind.`;
    return { ...done(content), structured: verdict.updatedInput };
  }

  /** @param {string} tool @param {Record<string, unknown>} input */
  async #callServer(tool, input) {
    const [, serverName, toolName = ''] = tool.split('__');
    const server = this.parts.servers.find(({ name }) => name === serverName);
    if (!server?.tools.includes(toolName)) {
      return failed(`<tool_use_error>Error: No such tool available: ${tool}</tool_use_error>`);
    }
    const { content, isError } = await server.call(toolName, input);
    return { content, isError, isDenied: false, structured: content };
  }

  /** @param {string} toolUseId @param {{ content: unknown, isError: boolean, structured: unknown }} answer */
  #answer(toolUseId, { content, isError, structured }) {
    const { conversation, output } = this.parts;
    const block = { type: 'tool_result', tool_use_id: toolUseId, content, is_error: isError };
    const message = { role: /** @type {const} */ ('user'), content: [block] };
    output.event({
      type: 'user',
      message,
      parent_tool_use_id: null,
      timestamp: new Date().toISOString(),
      tool_use_result: structured,
    });
    conversation.append(message);
  }

  /** The last words, a few at a time. @param {number} index @param {string} text */
  async #write(index, text) {
    const { output, paceMs } = this.parts;
    if (!output.isPartial) return;
    const pieces = text.match(/(?:\S+\s*){1,3}|\s+/g) ?? [];
    output.partial({
      type: 'content_block_start',
      index,
      content_block: { type: 'text', text: '' },
    });
    for (const piece of pieces) {
      const delta = { type: 'text_delta', text: piece };
      output.partial({ type: 'content_block_delta', index, delta });
      await delay(paceMs === null ? WORDS_MS : paceMs / 4);
    }
    output.partial({ type: 'content_block_stop', index });
  }

  /** A little time between steps, so that people can watch. */
  async #pause() {
    this.parts.output.event({ type: 'system', subtype: 'status', status: 'requesting' });
    await delay(this.parts.paceMs ?? 150 + ((this.turns * 97) % 251));
  }
}

/** @param {string} content */
function done(content) {
  return { content, isError: false, isDenied: false, structured: content };
}

/** @param {string} message */
function failed(message) {
  return { content: message, isError: true, isDenied: false, structured: `Error: ${message}` };
}

/** @param {unknown} content */
export function flatten(content) {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block) => (block?.type === 'text' ? String(block.text) : '')).join('\n');
}
