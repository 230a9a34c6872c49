/** Heartbeats as the API shows and changes them. */
import { z } from 'zod';
import { PING_STATES } from './ping-state';

const time = z.string();

export const pingCheckDtoSchema = z.object({
  id: z.string().meta({ description: 'Id of the heartbeat, `hrb_…`.' }),
  service: z.string().meta({ description: 'Name of the service, as in the project.' }),
  name: z.string().meta({ description: 'Name of the heartbeat, unique in its service.' }),
  state: z.enum(PING_STATES).meta({
    description:
      '`waiting`: before its first ping. `up`: in time. `running`: started, and not ended. `late`: past its period, within its grace period. `failed`: the last ping was a failure. `missed`: past its deadline.',
  }),
  periodSeconds: z.number().int().meta({ description: 'Expected time between two pings.' }),
  graceSeconds: z.number().int().meta({ description: 'How late a ping may be.' }),
  isPostOnly: z.boolean().meta({ description: 'Whether only POST is a ping.' }),
  lastPingAt: time.nullable().meta({
    description: 'When the job last reported its end, ISO 8601; null before that.',
  }),
  lastStartAt: time.nullable().meta({
    description: 'When the job last reported its start, ISO 8601; null if it hasn’t.',
  }),
  lastDurationMs: z.number().nullable().meta({
    description: 'From its last start to its end; null if it reports no start.',
  }),
  nextDueAt: time.nullable().meta({
    description:
      'By when it has to ping, grace period included, ISO 8601; null before the first ping.',
  }),
  url: z.string().nullable().meta({
    description:
      'What the job pings. Null without the admin role or the scope `projects:write`, since whoever has it can report success, and if it was encrypted with another key.',
  }),
  previousUrlUntil: time.nullable().meta({
    description: 'Until when the URL before the current one is accepted, too; null if it isn’t.',
  }),
});
export type PingCheckDto = z.infer<typeof pingCheckDtoSchema>;

export const pingCheckQuerySchema = z.object({ service: z.string().optional() });

export const revokePingCheckSchema = z.strictObject({
  url: z.enum(['all', 'previous']).meta({
    description:
      '`all`: every URL is refused from now on, and the heartbeat gets a new one. `previous`: only the one before the current.',
  }),
});
export type RevokePingCheckInput = z.infer<typeof revokePingCheckSchema>;
