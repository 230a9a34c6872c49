import type { ResumePolicy } from './schema';

export type ModelEdge = 'same' | 'proven' | 'unproven';

/**
 * Returns whether a name refers to a model: `haiku` to `claude-haiku-4-5-20251001`, `opus` to
 * `claude-opus-4-8[1m]`.
 */
export function isModel(model: string, named: string): boolean {
  return model === named || model.split(/[-[\]]/).includes(named);
}

/** Returns whether it has been shown that one model continues a conversation held by another. */
export function modelEdge(
  from: string,
  to: string,
  { provenEdges }: Pick<ResumePolicy, 'provenEdges'>,
): ModelEdge {
  if (isModel(from, to) || isModel(to, from)) return 'same';
  const isProven = provenEdges.some(
    ([source, target]) => isModel(from, source) && isModel(to, target),
  );
  return isProven ? 'proven' : 'unproven';
}
