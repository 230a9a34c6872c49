import { z } from 'zod';
import { startConversation } from '@/lib/conversations/manage-conversations';
import { getConversation, getTurn } from '@/lib/conversations/read-conversations';
import { newTurnSchema } from '@/lib/conversations/schema';
import { askTurn } from '@/lib/conversations/turns';
import { InvalidError } from '@/lib/platform/errors';
import { chainIdOf, chainInput, projectInput, projectOf } from '../inputs';
import { idReference } from '../references';
import { showTurn, turnSchema } from '../show-turn';
import { defineTool, type ToolCall } from '../tool';
import { CONVERSATION } from './get-answer';

export const askProjectTool = defineTool({
  name: 'ask_project',
  title: 'Ask about a project or chain',
  description:
    'Use it to ask the project’s own agent a question about the project, about a chain that has ended, or as a follow-up in a conversation. The agent can look at the systems with the rights of tier 1, which costs money and takes up to minutes. Returns at once: call get_answer with the conversation. Give exactly one of project (slug, prj_…, URL), chain ("Chain #5" with the project, chn_…, URL) and conversation (cnv_…, URL).',
  scopes: ['conversations:write'],
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  input: z.strictObject({
    message: newTurnSchema.shape.message,
    project: projectInput.optional(),
    chain: chainInput.optional(),
    conversation: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .meta({ description: 'Id (cnv_…) or URL of a conversation to continue.' }),
    agent: newTurnSchema.shape.agent,
  }),
  output: turnSchema,
  run: async (call, input) => {
    const { conversationId, turnId } = await ask(call, input);
    const { project } = await getConversation(call.scope, conversationId);
    const turn = await getTurn(call.scope, conversationId, turnId);
    return showTurn(turn, call.links.conversation(project.slug, conversationId));
  },
});

interface Question {
  message: string;
  project?: string | undefined;
  chain?: string | number | undefined;
  conversation?: string | undefined;
  agent?: string | undefined;
}

async function ask(call: ToolCall, { message, project, chain, conversation, agent }: Question) {
  const turn = { message, agent, forceFresh: false };
  if (conversation !== undefined) {
    if (project !== undefined || chain !== undefined) {
      throw new InvalidError(
        'A conversation has its subject already. Give conversation alone, or start another one with project or chain.',
      );
    }
    const conversationId = idReference(CONVERSATION, conversation, call.place);
    return { conversationId, turnId: await askTurn(call.scope, conversationId, turn) };
  }
  if (project === undefined && chain === undefined) {
    throw new InvalidError('Say what to ask about: give project, chain or conversation.');
  }
  const subject =
    chain === undefined
      ? { project: projectOf(call, project) }
      : { chain: await chainIdOf(call, chain, project) };
  return startConversation(call.scope, { ...turn, ...subject });
}
