import { scheduleParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import {
  deleteSchedule,
  getSchedule,
  updateSchedule,
} from '@/lib/deliveries/escalation/manage-schedules';
import { scheduleDtoSchema, scheduleInputSchema } from '@/lib/deliveries/escalation/schema';

const shared = {
  path: '/api/v1/oncall-schedules/{scheduleId}',
  auth: 'apiKey',
  params: scheduleParams,
} as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'Get an on-call schedule, with who is on call now and next',
  scopes: ['oncall-schedules:read'],
  response: scheduleDtoSchema,
  handle: ({ scope, params }) => getSchedule(scope, params.scheduleId),
});

export const PUT = route({
  ...shared,
  method: 'PUT',
  summary: 'Replace an on-call schedule, at once for incidents that are escalating, too',
  scopes: ['oncall-schedules:write'],
  body: scheduleInputSchema,
  response: scheduleDtoSchema,
  handle: ({ scope, params, body }) => updateSchedule(scope, params.scheduleId, body),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Delete an on-call schedule that no escalation policy uses',
  scopes: ['oncall-schedules:write'],
  status: 204,
  handle: async ({ scope, params }) => {
    await deleteSchedule(scope, params.scheduleId);
    return undefined;
  },
});
