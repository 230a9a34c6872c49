import { z } from 'zod';
import { listCommands } from '@/lib/insight/commands/list-commands';
import { commandStateShownSchema } from '@/lib/insight/commands/schema';
import { getSession } from '@/lib/insight/sessions/get-session';
import {
  chainIdOf,
  chainInput,
  numberedOf,
  projectInput,
  projectOf,
  sessionInput,
} from '../inputs';
import { nextCursorSchema, pageInput, readPage } from '../page';
import { defineTool, fieldsFor, READS, type ToolCall } from '../tool';
import { plainLine, untrusted, untrustedSchema } from '../untrusted';

const commandSchema = z.object({
  id: z.string(),
  state: z.string(),
  command: untrustedSchema
    .optional()
    .meta({ description: 'Program and arguments as JSON, without secrets.' }),
  may_change: z.boolean(),
  rule: z.string().optional(),
  refusal: z.object({ code: z.string(), message: untrustedSchema.optional() }).optional(),
  exit_code: z.number().int().optional(),
  signal: z.string().optional(),
  error: untrustedSchema.optional(),
  duration_ms: z.number().int().optional(),
  requested_at: z.string(),
  project: z.string(),
  chain: z.number().int().optional(),
  session: z.number().int(),
  tier: z.number().int(),
  runner: z.string().optional(),
  approval: z.string().optional(),
});

export const listCommandsTool = defineTool({
  name: 'list_commands',
  title: 'List commands',
  description:
    'Use it to see what confined agents had run on their hosts, or were refused: exact arguments, rule, outcome. Newest first. Commands of unconfined agents aren’t listed: use read_log. Filter by project, chain ("Chain #5" with the project, chn_…, or URL) or session ("Session #8", ses_…, or URL).',
  scopes: ['commands:read'],
  annotations: READS,
  input: pageInput.extend({
    project: projectInput.optional(),
    chain: chainInput.optional(),
    session: sessionInput.optional(),
    state: commandStateShownSchema.optional().meta({ description: 'Only those of this state.' }),
    may_change: z
      .boolean()
      .optional()
      .meta({ description: 'Only those that may, or may not, change something.' }),
  }),
  output: z.object({
    commands: z.array(commandSchema),
    next_cursor: nextCursorSchema,
  }),
  run: async (call, { project, chain, session, state, may_change: mayChange, ...range }) => {
    const filter = {
      project: projectOf(call, project),
      chain: chain === undefined ? undefined : await chainIdOf(call, chain, project),
      session: session === undefined ? undefined : await sessionIdOf(call, session, project),
      state,
      mayChange,
    };
    const page = await readPage(
      range,
      (part) => listCommands(call.scope, { ...filter, ...part }),
      (command) => ({
        ...fieldsFor(commandSchema, command),
        command: untrusted('command of the agent', JSON.stringify(command.argv)),
        rule: command.rule === null ? null : plainLine(command.rule),
        refusal: command.refusal && {
          code: command.refusal.code,
          message: untrusted('answer to the agent', command.refusal.message, 500),
        },
        error: untrusted('host', command.error, 500),
        project: command.project.slug,
        chain: command.chain?.number ?? null,
        session: command.session.number,
        tier: command.session.tier,
        runner: command.runner === null ? null : plainLine(command.runner.name),
        approval: command.approvalId,
      }),
    );
    return { commands: page.rows, next_cursor: page.next_cursor };
  },
});

async function sessionIdOf(
  call: ToolCall,
  session: string | number,
  project: string | undefined,
): Promise<string> {
  const reference = await numberedOf(call, 'session', session, project);
  return typeof reference === 'string' ? reference : (await getSession(call.scope, reference)).id;
}
