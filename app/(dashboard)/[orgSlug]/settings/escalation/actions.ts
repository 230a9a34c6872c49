'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  createPolicy as insertPolicy,
  deletePolicy as removePolicy,
  updatePolicy as replacePolicy,
} from '@/lib/deliveries/escalation/manage-policies';
import {
  createSchedule as insertSchedule,
  deleteSchedule as removeSchedule,
  updateSchedule as replaceSchedule,
} from '@/lib/deliveries/escalation/manage-schedules';
import { policyInputSchema, scheduleInputSchema } from '@/lib/deliveries/escalation/schema';

const policySchema = z.object({ policyId: z.string() });
const scheduleSchema = z.object({ scheduleId: z.string() });

export const createPolicy = action(policyInputSchema, async ({ scope, input }) => {
  await insertPolicy(scope, input);
});

export const updatePolicy = action(
  policyInputSchema.extend(policySchema.shape),
  async ({ scope, input: { policyId, ...policy } }) => {
    await replacePolicy(scope, policyId, policy);
  },
);

export const deletePolicy = action(policySchema, async ({ scope, input }) => {
  await removePolicy(scope, input.policyId);
});

export const createSchedule = action(scheduleInputSchema, async ({ scope, input }) => {
  await insertSchedule(scope, input);
});

export const updateSchedule = action(
  scheduleInputSchema.extend(scheduleSchema.shape),
  async ({ scope, input: { scheduleId, ...schedule } }) => {
    await replaceSchedule(scope, scheduleId, schedule);
  },
);

export const deleteSchedule = action(scheduleSchema, async ({ scope, input }) => {
  await removeSchedule(scope, input.scheduleId);
});
