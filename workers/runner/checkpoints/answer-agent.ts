/** What the runner does when a hook or a tool of the agent asks it, for one attempt. */
import { renderRecovery } from '@/lib/checkpoints/recovery';
import type { RecalledCheckpoint } from '@/lib/checkpoints/schema';
import { logger } from '@/lib/logger';
import type { RunnerEvent } from '@/lib/runner-protocol/events';
import type { Answer, HookInput } from '../agent-socket/messages';
import type { AnswerAgent } from '../agent-socket/server';
import { recallText } from './recall-text';
import type { CheckpointWriter } from './writer';

export interface AgentDeskOptions {
  writer: CheckpointWriter;
  /** `#18.1` */
  label: string;
  recoveryBudgetChars: number;
  /** Puts an event into the stream. */
  log(event: RunnerEvent): void;
  /** What the sessions before this one have kept, newest first. */
  recall(limit: number): Promise<RecalledCheckpoint[]>;
}

export function answerAgent(options: AgentDeskOptions): AnswerAgent {
  const { writer, label } = options;
  let prompts = 0;

  function hook(input: HookInput): Answer {
    const { hook_event_name: event, trigger, source, reason } = input;
    const sessionId = input.session_id ?? input.sessionId ?? null;
    const told = Object.entries({ trigger, source, reason }).filter(([, value]) => value);
    const detail = { event, sessionId, ...Object.fromEntries(told) };
    options.log({ kind: 'system', subtype: 'hook', detail });
    // The first prompt is the runner's own, counted when the process began.
    if (event === 'UserPromptSubmit' && (prompts += 1) > 1) writer.prompt();
    if (event === 'PreCompact') {
      const instructions = input.custom_instructions ?? null;
      writer.compaction({ trigger: trigger ?? null, instructions }, sessionId);
    }
    const isCompacted = event === 'SessionStart' && source === 'compact';
    return { ok: true, text: isCompacted ? recovered() : '' };
  }

  /** What the conversation gets back of what its compaction dropped. */
  function recovered(): string {
    const [latest] = writer.kept;
    if (!latest) return '';
    const { trigger, digest } = latest.event;
    const { recoveryBudgetChars } = options;
    return renderRecovery({ trigger, digest, label, at: latest.at }, recoveryBudgetChars);
  }

  /** Its own from here, since they may be on their way; others from the control plane. */
  async function recall(limit: number): Promise<string> {
    const own = writer.kept.map(({ event: { trigger, digest }, at }) => {
      return { label, trigger, digest, at: at.toISOString() };
    });
    try {
      const before = (await options.recall(limit)).filter((one) => one.label !== label);
      return recallText([...own, ...before].slice(0, limit));
    } catch (error) {
      logger.warn({ label, error: String(error) }, 'earlier checkpoints could not be asked for');
      const said = 'Earlier sessions could not be asked for: the control plane does not answer.';
      return `${recallText(own.slice(0, limit))}\n\n${said}`;
    }
  }

  return async (ask) => {
    if (ask.kind === 'hook') return hook(ask.input);
    if (ask.kind === 'digest') {
      writer.agent(ask.digest);
      return { ok: true, text: 'Kept.' };
    }
    if (ask.kind === 'remember') {
      writer.remember(ask.text);
      return { ok: true, text: 'Kept for the next digest.' };
    }
    return { ok: true, text: await recall(ask.limit) };
  };
}
