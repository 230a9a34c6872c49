import { z } from 'zod';
import {
  createEnrolment,
  drainRunner,
  getRunner,
  listRunners,
  resumeRunner,
  revokeRunner,
  setRunner,
} from '@/lib/fleet/manage-runners';
import { rotateKey } from '@/lib/fleet/runner-keys';
import { endRunnerPause, pauseRunner } from '@/lib/fleet/runner-pauses';
import {
  createEnrolmentSchema,
  enrolmentDtoSchema,
  runnerDtoSchema,
  setRunnerSchema,
  updateRunnersSchema,
} from '@/lib/fleet/schema';
import { cancelUpdate, requestUpdate, requestUpdates } from '@/lib/fleet/updates';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { emptyBodySchema, pauseBodySchema } from './bodies';
import { operation } from './operation';

export const drain = operation({
  method: 'POST',
  path: '/api/v1/runners/{runnerId}/drain',
  summary: 'Drain a runner: it finishes its attempts and claims no new ones',
  act: 'runner.manage',
  scopes: ['runners:write'],
  status: 200,
  body: emptyBodySchema,
  response: runnerDtoSchema,
  refusals: { 409: 'The runner is revoked.' },
  run: ({ scope, params }) => drainRunner(scope, params.runnerId),
  answerAgain: ({ scope, params }) => getRunner(scope, params.runnerId),
});

export const resume = operation({
  method: 'DELETE',
  path: '/api/v1/runners/{runnerId}/drain',
  summary: 'Resume a drained runner',
  act: 'runner.manage',
  scopes: ['runners:write'],
  response: runnerDtoSchema,
  refusals: { 409: 'The runner is revoked.' },
  run: ({ scope, params }) => resumeRunner(scope, params.runnerId),
});

export const pause = operation({
  method: 'POST',
  path: '/api/v1/runners/{runnerId}/pause',
  summary: 'Pause a runner: it claims no new attempts',
  act: 'runner.pause',
  scopes: ['runners:write'],
  status: 200,
  body: pauseBodySchema,
  example: {
    reason: 'New kernel',
    endsAt: '2027-01-31T18:00:00Z',
  },
  response: runnerDtoSchema,
  run: ({ scope, params, body }) => pauseRunner(scope, params.runnerId, body),
  answerAgain: ({ scope, params }) => getRunner(scope, params.runnerId),
});

export const endPause = operation({
  method: 'DELETE',
  path: '/api/v1/runners/{runnerId}/pause',
  summary: 'Resume a paused runner',
  act: 'runner.pause',
  scopes: ['runners:write'],
  response: runnerDtoSchema,
  run: ({ scope, params }) => endRunnerPause(scope, params.runnerId),
});

export const revoke = operation({
  method: 'POST',
  path: '/api/v1/runners/{runnerId}/revoke',
  summary: 'Revoke a runner’s key permanently',
  act: 'runner.manage',
  scopes: ['runners:write'],
  status: 200,
  body: emptyBodySchema,
  response: runnerDtoSchema,
  run: ({ scope, params }) => revokeRunner(scope, params.runnerId),
  answerAgain: ({ scope, params }) => getRunner(scope, params.runnerId),
});

export const rotate = operation({
  method: 'POST',
  path: '/api/v1/runners/{runnerId}/rotate',
  summary: 'Rotate a runner’s key; the old key works until the new one is confirmed',
  act: 'runner.manage',
  scopes: ['runners:write'],
  status: 200,
  body: emptyBodySchema,
  response: runnerDtoSchema,
  refusals: {
    409: 'The runner is revoked, or has its key from an environment variable.',
  },
  run: ({ scope, params }) => rotateKey(scope, params.runnerId),
  answerAgain: ({ scope, params }) => getRunner(scope, params.runnerId),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/runners/{runnerId}',
  summary: 'Get a runner',
  act: 'organization.read',
  scopes: ['runners:read'],
  response: runnerDtoSchema,
  run: ({ scope, params }) => getRunner(scope, params.runnerId),
});

export const change = operation({
  method: 'PATCH',
  path: '/api/v1/runners/{runnerId}',
  summary: 'Set a runner’s tiers and maximum concurrent attempts',
  act: 'runner.manage',
  scopes: ['runners:write'],
  body: setRunnerSchema,
  example: { allowedTiers: [1] },
  response: runnerDtoSchema,
  refusals: { 409: 'The runner is revoked.' },
  run: ({ scope, params, body }) => setRunner(scope, params.runnerId, body),
});

export const update = operation({
  method: 'POST',
  path: '/api/v1/runners/{runnerId}/update',
  summary: 'Update a runner to this installation’s version, after its running attempts',
  act: 'runner.manage',
  scopes: ['runners:write'],
  status: 200,
  body: emptyBodySchema,
  response: runnerDtoSchema,
  run: ({ scope, params }) => requestUpdate(scope, params.runnerId),
  answerAgain: ({ scope, params }) => getRunner(scope, params.runnerId),
});

export const endUpdate = operation({
  method: 'DELETE',
  path: '/api/v1/runners/{runnerId}/update',
  summary: 'Cancel the update of a runner',
  act: 'runner.manage',
  scopes: ['runners:write'],
  response: runnerDtoSchema,
  run: ({ scope, params }) => cancelUpdate(scope, params.runnerId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/runners',
  summary: 'List runners, newest first',
  act: 'organization.read',
  scopes: ['runners:read'],
  query: pageQuerySchema,
  response: pageSchema(runnerDtoSchema),
  run: ({ scope, query }) => listRunners(scope, query),
});

export const enrol = operation({
  method: 'POST',
  path: '/api/v1/runners',
  summary: 'Create a token that registers one runner and expires in an hour',
  act: 'runner.manage',
  scopes: ['runners:write'],
  body: createEnrolmentSchema,
  example: { pool: 'default', allowedTiers: [1, 2] },
  response: enrolmentDtoSchema,
  run: ({ scope, body }) => createEnrolment(scope, body),
});

export const updateAll = operation({
  method: 'POST',
  path: '/api/v1/runners/updates',
  summary: 'Update every runner that can update itself, one of a pool at a time',
  act: 'runner.manage',
  scopes: ['runners:write'],
  status: 200,
  body: updateRunnersSchema,
  example: { pool: 'default' },
  response: z.object({
    data: z.array(runnerDtoSchema).meta({ description: 'The runners that will be updated.' }),
  }),
  run: async ({ scope, body }) => ({ data: await requestUpdates(scope, body) }),
  answerAgain: async ({ scope, body }) => ({ data: await requestUpdates(scope, body) }),
});
