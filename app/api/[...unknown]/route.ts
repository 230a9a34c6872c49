import { NotFoundError } from '@/lib/platform/errors';
import { problemResponse } from '@/lib/platform/http/problem';
import { requestIdOf } from '@/lib/platform/http/request-headers';

/** Answers every address under `/api` that no other route has: a program expects no page. */
function refuse(request: Request): Response {
  const { pathname } = new URL(request.url);
  const message = `The API has no address ${pathname}. See /docs/reference for those it has.`;
  return problemResponse(new NotFoundError(message), requestIdOf(request.headers));
}

export {
  refuse as DELETE,
  refuse as GET,
  refuse as HEAD,
  refuse as OPTIONS,
  refuse as PATCH,
  refuse as POST,
  refuse as PUT,
};
