import { dispatch } from '@/lib/operations/dispatch';

/** Answers every address of the REST API: `lib/operations` defines them. */
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
