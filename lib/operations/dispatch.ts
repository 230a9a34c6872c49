import { dispatcher, refuse } from '@/lib/api/dispatcher';
import { HttpError } from '@/lib/platform/http/problem';
import { OPERATIONS } from './registry';

/** Resources that were removed, with what to do instead. */
const REMOVED = new Map([
  [
    'oncall-schedules',
    'On-call schedules were removed. Enter the iCal address of who is on call in a step of a paging policy (`calendarUrl`): PUT /api/v1/paging-policies/{policyId}.',
  ],
]);

const dispatchOperation = dispatcher(
  '/api/v1/',
  OPERATIONS.map(({ handler }) => handler),
);

/**
 * Answers a request by the operation of its method and path; 404, 405 and 410 as problems.
 *
 * @param segments the parts of the path below /api/v1, decoded
 */
export async function dispatch(request: Request, segments: readonly string[]): Promise<Response> {
  const removed = REMOVED.get(segments[0] ?? '');
  return removed
    ? refuse(request, new HttpError(410, removed))
    : dispatchOperation(request, segments);
}
