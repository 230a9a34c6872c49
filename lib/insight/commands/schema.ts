/** Commands of confined agents as they are shown. Ids are typed, times are ISO 8601 in UTC. */
import { z } from 'zod';
import { COMMAND_STATES } from '@/lib/engine/statuses';
import { pageQuerySchema } from '@/lib/platform/http/cursor';
import { momentSchema } from '@/lib/platform/http/moment';
import { projectRefSchema } from '@/lib/projects/view';
import { sessionRefSchema } from '../sessions/schema';

const time = z.string();

/** A stored state, or what is left of one whose attempt ended before its end was known. */
export const commandStateShownSchema = z.enum([...COMMAND_STATES, 'unknown']);
export type ShownCommandState = z.infer<typeof commandStateShownSchema>;

export const commandDtoSchema = z.object({
  /** `cmd_…` */
  id: z.string(),
  state: commandStateShownSchema.meta({
    description:
      '`succeeded`: exit 0. `failed`: another exit code, or a signal. `refused` and `not_started`: never executed. `started`: may be running. `left_running`: it, or what it has started, could not be ended with its attempt and may still run. `unknown`: its attempt ended before its end was known, so it may have run.',
  }),
  argv: z.array(z.string()).meta({ description: 'Program and arguments, without secrets.' }),
  rule: z.string().nullable().meta({
    description: 'The rule that allowed or refused it, as written; null if none did.',
  }),
  mayChange: z.boolean().meta({
    description:
      'Whether it may change something outside the agent’s work folder. False where that isn’t known, because no rule allows it.',
  }),
  refusal: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ description: 'Why it was refused, as the agent read it; null if it wasn’t.' }),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable().meta({ description: 'The signal that ended it.' }),
  error: z.string().nullable().meta({ description: 'Why it couldn’t be started.' }),
  durationMs: z.number().int().nullable(),
  outputBytes: z.number().int().nullable().meta({
    description: 'Size of what it printed. The session’s events have the end of the text.',
  }),
  requestedAt: time,
  endedAt: time.nullable(),
  project: projectRefSchema,
  chain: z
    .object({ id: z.string(), number: z.number().int() })
    .nullable()
    .meta({ description: 'Null for a command of a conversation.' }),
  session: sessionRefSchema,
  attempt: z.object({ id: z.string(), number: z.number().int() }),
  runner: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .meta({ description: 'The host that it was for; null if that runner was removed.' }),
  number: z.number().int().meta({ description: 'Of the attempt’s commands, from 1.' }),
  approvalId: z.string().nullable().meta({
    description: 'The approval that let it run, or that it waited for; null if none was needed.',
  }),
});
export type CommandDto = z.infer<typeof commandDtoSchema>;

export const commandQuerySchema = pageQuerySchema.extend({
  /** Id or slug. */
  project: z.string().optional(),
  /** `chn_…` */
  chain: z.string().optional(),
  /** `ses_…` */
  session: z.string().optional(),
  state: commandStateShownSchema.optional(),
  mayChange: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({ description: 'Only those that may, or may not, change something.' }),
  from: momentSchema
    .optional()
    .meta({ description: 'Only those requested at this time or later.' }),
  to: momentSchema.optional().meta({ description: 'Only those requested before this time.' }),
});
export type CommandQuery = z.infer<typeof commandQuerySchema>;
