import type { ToolNames } from '@/lib/agents/agent';
import { renderPrompt } from '@/lib/projects/prompts';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { actionsBlock, notesSection, servicesBlock, toolInputs } from './blocks';

interface AskPromptFacts {
  project: string;
  /** `#12` of the chain that the conversation is about; null: about the project as a whole. */
  chain: string | null;
  services: readonly ServiceSpec[];
  /** The agent's. */
  toolNames: ToolNames;
  tools: readonly string[];
  allowedRules: readonly string[];
  disallowedRules: readonly string[];
  askFirstRules: readonly string[];
  /** Instructions of the operators for this project; may be empty. */
  instructions: string;
  /** Whether the tools for notes are offered. */
  keepsNotes: boolean;
  /** The session's own conversation continues, so the message is in it already. */
  isContinuation: boolean;
  isResumed: boolean;
  /** The operator's message, unchanged. */
  message: string;
  /** The transcript, if the start carries one; never together with `isResumed`. */
  transcript: string | null;
}

interface AskPrompts {
  /** Passed by stdin. A resumed turn passes only the new message, a continued one none. */
  prompt: string;
  /** Appended to the CLI's system prompt at every start, because the CLI doesn't restore it. */
  systemPrompt: string;
}

/** Returns the prompt and system prompt of one turn of a conversation. */
export function askPrompts(facts: AskPromptFacts): AskPrompts {
  return { prompt: promptOf(facts), systemPrompt: systemPromptOf(facts) };
}

function promptOf({ message, transcript, isContinuation, isResumed }: AskPromptFacts): string {
  if (isContinuation) return renderPrompt('ask-continue', {});
  if (isResumed) return renderPrompt('ask-resumed', { message });
  if (transcript !== null) return renderPrompt('ask-from-transcript', { transcript, message });
  return message;
}

function systemPromptOf(facts: AskPromptFacts): string {
  const { project, chain, instructions, toolNames } = facts;
  const sections = [
    ...(instructions ? [`## Operator instructions\n\n${instructions.trim()}`] : []),
    ...(facts.keepsNotes ? [notesSection(toolNames)] : []),
  ];
  return renderPrompt('system-ask', {
    project,
    about: chain
      ? `Their questions are about Chain ${chain}, which has ended: it is a record, and nothing in it is still running.`
      : 'Their questions are about the project as a whole.',
    services: servicesBlock(facts.services),
    actions: actionsBlock({ ...facts, endsWith: 'ask' }),
    sections: sections.length > 0 ? `\n${sections.join('\n\n')}\n` : '',
    askBack: askBackLine(toolNames),
    ...toolInputs(toolNames),
  });
}

/** Returns the line about questions to people; empty if the agent can't ask. */
function askBackLine({ ask }: ToolNames): string {
  return ask === null ? '' : `\n${renderPrompt('ask-back', { askTool: ask }).trim()}`;
}
