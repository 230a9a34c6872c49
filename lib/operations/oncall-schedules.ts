import { z } from 'zod';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  updateSchedule,
} from '@/lib/deliveries/escalation/manage-schedules';
import { scheduleDtoSchema, scheduleInputSchema } from '@/lib/deliveries/escalation/schema';
import { operation } from './operation';

export const get = operation({
  method: 'GET',
  path: '/api/v1/oncall-schedules/{scheduleId}',
  summary: 'Get an on-call schedule, with who is on call now and next',
  act: 'organization.read',
  scopes: ['oncall-schedules:read'],
  response: scheduleDtoSchema,
  run: ({ scope, params }) => getSchedule(scope, params.scheduleId),
});

export const replace = operation({
  method: 'PUT',
  path: '/api/v1/oncall-schedules/{scheduleId}',
  summary: 'Replace an on-call schedule, at once for incidents that are escalating, too',
  act: 'channel.manage',
  scopes: ['oncall-schedules:write'],
  body: scheduleInputSchema,
  example: {
    name: 'Primary',
    timeZone: 'Europe/Berlin',
    shifts: [
      {
        name: 'Ana',
        days: ['mon', 'tue', 'wed', 'thu', 'fri'],
        from: '09:00',
        to: '17:00',
        channelIds: ['ntc_0001hmT3cXGIeGQrlBFXUl'],
      },
    ],
  },
  response: scheduleDtoSchema,
  run: ({ scope, params, body }) => updateSchedule(scope, params.scheduleId, body),
});

export const remove = operation({
  method: 'DELETE',
  path: '/api/v1/oncall-schedules/{scheduleId}',
  summary: 'Delete an on-call schedule that no escalation policy uses',
  act: 'channel.manage',
  scopes: ['oncall-schedules:write'],
  status: 204,
  refusals: { 409: 'An escalation policy uses it.' },
  run: ({ scope, params }) => deleteSchedule(scope, params.scheduleId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/oncall-schedules',
  summary: 'List on-call schedules by name, each with who is on call now and next',
  act: 'organization.read',
  scopes: ['oncall-schedules:read'],
  response: z.object({
    data: z.array(scheduleDtoSchema),
    /** An organization has at most 50 schedules, so there is one page. */
    nextCursor: z.null(),
  }),
  run: async ({ scope }) => ({ data: await listSchedules(scope), nextCursor: null }),
});

export const create = operation({
  method: 'POST',
  path: '/api/v1/oncall-schedules',
  summary: 'Create an on-call schedule',
  act: 'channel.manage',
  scopes: ['oncall-schedules:write'],
  body: scheduleInputSchema,
  example: {
    name: 'Primary',
    timeZone: 'Europe/Berlin',
    shifts: [
      {
        name: 'Ana',
        days: ['mon', 'tue', 'wed', 'thu', 'fri'],
        from: '09:00',
        to: '17:00',
        channelIds: ['ntc_0001hmT3cXGIeGQrlBFXUl'],
      },
    ],
  },
  response: scheduleDtoSchema,
  refusals: { 409: 'The organization has reached its limit of schedules.' },
  run: ({ scope, body }) => createSchedule(scope, body),
  answerAgain: ({ scope }, target) => getSchedule(scope, target),
});
