/** One request to the scripted API, as received. */
import { z } from 'zod';

const contentBlockSchema = z.looseObject({ type: z.string() });
const messageSchema = z.object({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(contentBlockSchema)]),
});
export type ApiMessage = z.infer<typeof messageSchema>;

const bodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema),
  system: z.union([z.string(), z.array(contentBlockSchema)]).optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  stream: z.boolean().optional(),
});
export type ApiRequestBody = z.infer<typeof bodySchema>;

export interface RecordedRequest {
  /** From 0, in order of arrival. */
  index: number;
  headers: Record<string, string>;
  body: ApiRequestBody;
  model: string;
  /** Names of the tools the model was offered. */
  tools: string[];
  system: string;
  /** Text of the last message, when the user wrote it; tool results are not in here. */
  lastUserText: string;
  /** Contents of the tool results in the last message. */
  lastToolResults: string[];
}

export function recordRequest(
  index: number,
  headers: Record<string, string>,
  json: string,
): RecordedRequest {
  const body = bodySchema.parse(JSON.parse(json));
  const last = body.messages.findLast((message) => message.role === 'user');
  return {
    index,
    headers,
    body,
    model: body.model,
    tools: body.tools?.map((tool) => tool.name) ?? [],
    system: textOf(body.system ?? ''),
    lastUserText: last === undefined ? '' : textOf(last.content),
    lastToolResults: last === undefined ? [] : toolResultsOf(last.content),
  };
}

/** The texts of a message's content, without tool calls and results. */
export function textOf(content: ApiMessage['content']): string {
  if (typeof content === 'string') return content;
  return content
    .flatMap((block) => (typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}

function toolResultsOf(content: ApiMessage['content']): string[] {
  if (typeof content === 'string') return [];
  return content.flatMap((block) => {
    if (block.type !== 'tool_result') return [];
    const parsed = messageSchema.shape.content.safeParse(block.content);
    return [parsed.success ? textOf(parsed.data) : ''];
  });
}
