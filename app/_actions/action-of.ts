import { z } from 'zod';
import type { Operation } from '@/lib/operations/operation';
import { parseInput } from '@/lib/platform/http/read-body';
import { action, type ServerAction } from './action';

/**
 * The server action of an operation: its input has the names in the operation's path and the fields
 * of its body side by side. Its data is what the operation's `run` returns.
 */
export function actionOf<Params, Body extends z.ZodType | undefined, Done>(
  operation: Operation<Params, Body, Done>,
): ServerAction<'member', Params & InputOf<Body>, Done> {
  const { params, body, run } = operation;
  const split = z.looseObject({}).transform((raw) => ({
    params: parseInput(params, raw) as Params,
    body: body && parseInput(body, fieldsOf(body, raw)),
  }));
  const handled = action(split, async ({ scope, user, input }) =>
    run({ scope, user, query: undefined, ...(input as Given<Params, Body>) }),
  );
  return handled as unknown as ServerAction<'member', Params & InputOf<Body>, Done>;
}

/** A body is closed over HTTP; an action's input has other fields beside it. */
function fieldsOf(body: z.ZodType, raw: Record<string, unknown>): Record<string, unknown> {
  if (!(body instanceof z.ZodObject)) return raw;
  return Object.fromEntries(
    Object.entries(raw).filter(([name]) => Object.hasOwn(body.shape, name)),
  );
}

/** An empty body adds nothing. */
type InputOf<Body> = Body extends z.ZodType
  ? z.input<Body> extends Record<string, never>
    ? unknown
    : z.input<Body>
  : unknown;
interface Given<Params, Body> {
  params: Params;
  body: Body extends z.ZodType ? z.output<Body> : undefined;
}
