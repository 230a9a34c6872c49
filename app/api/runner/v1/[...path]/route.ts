import { dispatcher } from '@/lib/api/dispatcher';
import * as attemptRoutes from '../attempt-routes';
import * as hostRoutes from '../host-routes';

const dispatch = dispatcher('/api/runner/v1/', [
  ...Object.values(attemptRoutes),
  ...Object.values(hostRoutes),
]);

/** Answers every address of the runner API. */
async function answer(
  request: Request,
  { params }: { params: Promise<{ path: string[] }> },
): Promise<Response> {
  return dispatch(request, (await params).path);
}

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
