import { z } from 'zod';
import { LOG_STATES, listEvents } from '@/lib/insight/sessions/events';
import { getSession } from '@/lib/insight/sessions/get-session';
import { eventText } from '@/lib/insight/sessions/write-log';
import { numberedOf, optionalProject, sessionInput } from '../inputs';
import { logWindow, MAX_LOG_CHARS } from '../log-window';
import { defineTool, READS } from '../tool';
import { untrusted, untrustedSchema } from '../untrusted';

const MAX_EVENTS = 200;

export const readLogTool = defineTool({
  name: 'read_log',
  title: 'Read a session’s log',
  description: `Use it to see what an agent read, ran and wrote, event by event. Returns at most ${MAX_LOG_CHARS.toLocaleString('en')} characters: continue with next_event and next_offset, or give a negative from_event for the end (-20: the last 20 events). Events have numbers from 1 to total_events. Identify the session as "Session #8" with the project, by id (ses_…), or by URL.`,
  scopes: ['sessions:read'],
  annotations: READS,
  input: z.strictObject({
    session: sessionInput,
    project: optionalProject,
    from_event: z
      .number()
      .int()
      .default(1)
      .meta({ description: 'Number of the first event; negative: counted from the end.' }),
    offset: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({ description: 'Characters of the first event to leave out: next_offset.' }),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_EVENTS)
      .default(50)
      .meta({ description: `Events, at most ${MAX_EVENTS}.` }),
  }),
  output: z.object({
    session: z.string(),
    status: z.string(),
    is_ended: z.boolean(),
    log: untrustedSchema.optional().meta({ description: 'Missing if there are no events.' }),
    first_event: z.number().int().optional(),
    last_event: z.number().int().optional(),
    total_events: z.number().int(),
    next_event: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Give it as from_event to continue; null at the end.' }),
    next_offset: z.number().int().optional(),
    log_state: z
      .enum(LOG_STATES)
      .meta({ description: 'deleted_by_retention: the events are no longer stored.' }),
  }),
  run: async (call, { session: input, project, from_event: from, offset, limit }) => {
    const { scope } = call;
    const reference = await numberedOf(call, 'session', input, project);
    const id = typeof reference === 'string' ? reference : (await getSession(scope, reference)).id;
    const total = from < 0 ? (await listEvents(scope, id, { limit: 1 })).lastSeq : 0;
    const first = Math.max(1, from < 0 ? total + 1 + from : from);
    const page = await listEvents(scope, id, { after: first - 1, limit });
    const shown = page.events.map((event) => ({ seq: event.seq, text: eventText(event) }));
    const window = logWindow(shown, offset);
    const after = shown.at(-1)?.seq ?? page.lastSeq;
    const next = window.next ?? (after < page.lastSeq ? { event: after + 1, offset: 0 } : null);
    return {
      session: id,
      status: page.status,
      is_ended: page.isEnded,
      log: untrusted('log of the session', window.text, MAX_LOG_CHARS),
      first_event: window.firstEvent,
      last_event: window.lastEvent,
      total_events: page.lastSeq,
      next_event: next?.event ?? null,
      next_offset: next && next.offset > 0 ? next.offset : null,
      log_state: page.logState,
    };
  },
});
