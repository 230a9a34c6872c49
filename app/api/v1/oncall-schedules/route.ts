import { z } from 'zod';
import { route } from '@/lib/api/route';
import {
  createSchedule,
  getSchedule,
  listSchedules,
} from '@/lib/deliveries/escalation/manage-schedules';
import { scheduleDtoSchema, scheduleInputSchema } from '@/lib/deliveries/escalation/schema';

const path = '/api/v1/oncall-schedules';

export const GET = route({
  method: 'GET',
  path,
  summary: 'List on-call schedules by name, each with who is on call now and next',
  auth: 'apiKey',
  scopes: ['oncall-schedules:read'],
  response: z.object({
    data: z.array(scheduleDtoSchema),
    /** An organization has at most 50 schedules, so there is one page. */
    nextCursor: z.null(),
  }),
  handle: async ({ scope }) => ({ data: await listSchedules(scope), nextCursor: null }),
});

export const POST = route({
  method: 'POST',
  path,
  summary: 'Create an on-call schedule',
  auth: 'apiKey',
  scopes: ['oncall-schedules:write'],
  body: scheduleInputSchema,
  response: scheduleDtoSchema,
  handle: ({ scope, body }) => createSchedule(scope, body),
  answerAgain: ({ scope }, target) => getSchedule(scope, target),
});
