import type { ResumePolicy } from './schema';

export type ModelEdge = 'same' | 'proven' | 'denied' | 'unproven';

/**
 * Returns whether a name refers to a model: `haiku` to `claude-haiku-4-5-20251001`, `opus` to
 * `claude-opus-4-8[1m]`.
 */
export function isModel(model: string, named: string): boolean {
  return model === named || model.split(/[-[\]]/).includes(named);
}

/**
 * Returns whether a conversation held by one model may be continued by another. A denial has
 * priority.
 */
export function modelEdge(from: string, to: string, policy: ResumePolicy): ModelEdge {
  const isListed = (edges: ResumePolicy['provenEdges']) =>
    edges.some(([source, target]) => isModel(from, source) && isModel(to, target));
  if (isListed(policy.deniedEdges)) return 'denied';
  if (isModel(from, to) || isModel(to, from)) return 'same';
  return isListed(policy.provenEdges) ? 'proven' : 'unproven';
}
