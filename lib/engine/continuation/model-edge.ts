import type { ResumePolicy } from './schema';

export type ModelEdge = 'same' | 'proven' | 'unproven';

/** `haiku` names `claude-haiku-4-5-20251001`, `claude-opus-4-8[1m]` is an `opus`. */
export function isModel(model: string, named: string): boolean {
  return model === named || model.split(/[-[\]]/).includes(named);
}

/** Whether it has been shown that one model continues a conversation held by another. */
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
