/** What a runner asks and reports about itself and its host. */

import { z } from 'zod';
import { route } from '@/lib/api/route';
import { recordHeartbeat, waitForDirectives } from '@/lib/engine/directives';
import { recordCheckTest } from '@/lib/fleet/check-tests';
import { getMe } from '@/lib/fleet/record-capabilities';
import { confirmKey, enrolRunner, issueKey } from '@/lib/fleet/runner-keys';
import { reportUpdateFailure } from '@/lib/fleet/updates';
import { waitForAttempt } from '@/lib/fleet/wait-for-attempt';
import { getCheckPlan, recordCheckPlanResults } from '@/lib/monitoring/runner-checks';
import {
  checkPlanSchema,
  checkResultsRequestSchema,
  checkResultsResponseSchema,
} from '@/lib/protocol/monitoring';
import {
  checkTestOutcomeSchema,
  confirmKeyRequestSchema,
  directivesQuerySchema,
  directivesResponseSchema,
  enrolRequestSchema,
  enrolResponseSchema,
  heartbeatRequestSchema,
  meResponseSchema,
  newKeyResponseSchema,
  nextAttemptResponseSchema,
  updateFailedRequestSchema,
} from '@/lib/protocol/schema';

export const enrol = route({
  method: 'POST',
  path: '/api/runner/v1/enrol',
  summary: 'Enroll a runner with a one-time token',
  auth: 'public',
  body: enrolRequestSchema,
  credentials: ['token'],
  response: enrolResponseSchema,
  handle: ({ body }) => enrolRunner(body),
});

export const me = route({
  method: 'GET',
  path: '/api/runner/v1/me',
  summary: 'Get the runner’s own identity',
  auth: 'runner',
  response: meResponseSchema,
  handle: ({ scope }) => getMe(scope),
});

export const newKey = route({
  method: 'POST',
  path: '/api/runner/v1/key',
  summary: 'Get the new key that an admin requested',
  auth: 'runner',
  status: 200,
  response: newKeyResponseSchema,
  handle: ({ scope }) => issueKey(scope),
});

export const confirmNewKey = route({
  method: 'POST',
  path: '/api/runner/v1/key/confirm',
  summary: 'Confirm that the new key is stored; the old key stops working',
  auth: 'runner',
  body: confirmKeyRequestSchema,
  credentials: ['key'],
  handle: ({ scope, body }) => confirmKey(scope, body.key),
});

export const heartbeat = route({
  method: 'POST',
  path: '/api/runner/v1/heartbeat',
  summary: 'Renew the leases of running attempts',
  auth: 'runner',
  status: 200,
  body: heartbeatRequestSchema,
  response: directivesResponseSchema,
  handle: ({ scope, body }) => recordHeartbeat(scope, body),
});

export const directives = route({
  method: 'GET',
  path: '/api/runner/v1/directives',
  summary: 'Wait for a directive to this runner',
  auth: 'runner',
  query: directivesQuerySchema,
  response: directivesResponseSchema,
  handle: ({ scope, query, request }) => waitForDirectives(scope, request.signal, query.seen),
});

export const nextAttempt = route({
  method: 'GET',
  path: '/api/runner/v1/next-attempt',
  summary: 'Wait for an attempt to claim, without a login to the queue',
  auth: 'runner',
  response: nextAttemptResponseSchema,
  handle: ({ scope, request }) => waitForAttempt(scope, request.signal),
});

export const checks = route({
  method: 'GET',
  path: '/api/runner/v1/checks',
  summary: 'Get the checks that this runner runs without an agent',
  auth: 'runner',
  response: checkPlanSchema,
  handle: ({ scope }) => getCheckPlan(scope),
});

export const checkResults = route({
  method: 'POST',
  path: '/api/runner/v1/check-results',
  summary: 'Report what checks without an agent found',
  auth: 'runner',
  status: 200,
  body: checkResultsRequestSchema,
  response: checkResultsResponseSchema,
  handle: ({ scope, body }) => recordCheckPlanResults(scope, body),
});

export const checkTest = route({
  method: 'POST',
  path: '/api/runner/v1/check-tests/{testId}',
  summary: 'Report the result of a check test',
  auth: 'runner',
  params: z.object({ testId: z.uuid() }),
  body: checkTestOutcomeSchema,
  handle: async ({ scope, params, body }) => {
    await recordCheckTest(scope, params.testId, body);
    return undefined;
  },
});

export const updateFailed = route({
  method: 'POST',
  path: '/api/runner/v1/update-failed',
  summary: 'Report that an update was not made, or was taken back',
  auth: 'runner',
  body: updateFailedRequestSchema,
  handle: ({ scope, body }) => reportUpdateFailure(scope, body),
});
