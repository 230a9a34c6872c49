import { z } from 'zod';
import { SEARCHED_COMMANDS, SEARCHED_REPORTS } from '@/lib/insight/search/limits';
import type { TextHit } from '@/lib/insight/search/schema';
import { searchText } from '@/lib/insight/search/search-text';
import { defineTool, READS, type ToolCall } from '../tool';
import { untrusted, untrustedSchema } from '../untrusted';

const hitSchema = z.object({
  project: z.string(),
  session: z.number().int().meta({ description: 'Number of the session in that project.' }),
  tier: z.number().int(),
  chain: z.number().int().optional().meta({ description: 'Missing for a conversation.' }),
  event: z
    .number()
    .int()
    .optional()
    .meta({ description: 'Of the session’s log: give it to read_log as from_event.' }),
  at: z.string(),
  url: z.string(),
  match: untrustedSchema.optional(),
});

export const searchLogsTool = defineTool({
  name: 'search_logs',
  title: 'Search reports and commands',
  description: `Use it to find past sessions by words: in agents’ reports, and in the commands they called. Every word has to occur; case doesn’t matter. Returns the 6 newest matches of each among the newest ${SEARCHED_REPORTS.toLocaleString('en')} reports and ${SEARCHED_COMMANDS.toLocaleString('en')} commands of the organization. Output of commands isn’t searched: use read_log.`,
  scopes: ['sessions:read'],
  annotations: READS,
  input: z.strictObject({
    query: z
      .string()
      .trim()
      .min(2, 'Give at least 2 characters.')
      .max(200, 'Give at most 200 characters.')
      .meta({ description: 'Words that all have to occur.' }),
  }),
  output: z.object({ reports: z.array(hitSchema), commands: z.array(hitSchema) }),
  run: async (call, { query }) => {
    const { reports, commands } = await searchText(call.scope, query);
    return {
      reports: reports.map((hit) => showHit(hit, 'report', call)),
      commands: commands.map((hit) => showHit(hit, 'command', call)),
    };
  },
});

function showHit(hit: TextHit, kind: string, { links }: ToolCall) {
  const { project, session, chain, snippet, seq, at, conversationId } = hit;
  return {
    project: project.slug,
    session: session.number,
    tier: session.tier,
    chain: chain?.number ?? null,
    event: seq,
    at,
    url:
      conversationId === null
        ? links.session(project.slug, session.number)
        : links.conversation(project.slug, conversationId),
    match: untrusted(
      `${kind} of Session #${session.number}`,
      snippet.map(({ text }) => text).join(''),
    ),
  };
}
