/**
 * Guards about the conversation itself: whether to continue it with this model, at this size and
 * this price.
 */

import type { ResumePolicy } from '../schema';
import { carry, firstOf, type Guard, pointerGuard } from './guard';

const model = pointerGuard(
  'G19',
  'This model may continue the other model’s conversation',
  ({ request, pointer, policy }) => {
    const edge = modelEdge(pointer.model, request.model, policy);
    const { unprovenEdges } = policy;
    return firstOf({ parentModel: pointer.model, model: request.model, edge, unprovenEdges }, [
      [edge === 'unproven' && unprovenEdges === 'handoff', carry('MODEL_EDGE_UNPROVEN')],
    ]);
  },
);

const context = pointerGuard(
  'G20',
  'The conversation fits in the context window',
  ({ context: use }) =>
    firstOf({ ...use }, [
      [use.share === null, carry('CONTEXT_UNKNOWN')],
      [use.share !== null && use.share > use.threshold, carry('CONTEXT_PRESSURE')],
    ]),
);

const price = pointerGuard(
  'G22',
  'Re-reading the conversation stays within the limit',
  ({ policy, context: use }) => {
    const { maxRereadTokens } = policy;
    const rereadTokens = use.usedTokens;
    const isTooDear = maxRereadTokens !== null && (rereadTokens ?? 0) > maxRereadTokens;
    const noLimit = maxRereadTokens === null && 'No limit is set.';
    return firstOf({ rereadTokens, maxRereadTokens }, [[isTooDear, carry('UNECONOMIC')]], {
      rereadTokens: noLimit,
      maxRereadTokens: noLimit,
    });
  },
);

export const CONVERSATION_GUARDS: readonly Guard[] = [model, context, price];

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
