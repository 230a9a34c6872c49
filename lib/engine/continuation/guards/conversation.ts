/**
 * Guards about the conversation itself: whether to continue it with this model, at this size and
 * this price.
 */
import { modelEdge } from '../model-edge';
import { carry, firstOf, type Guard, pointerGuard } from './guard';

const model = pointerGuard(
  'G19',
  'This model may continue what that model said',
  ({ request, pointer, policy }) => {
    const edge = modelEdge(pointer.model, request.model, policy);
    const { unprovenEdges } = policy;
    return firstOf({ parentModel: pointer.model, model: request.model, edge, unprovenEdges }, [
      [edge === 'unproven' && unprovenEdges === 'handoff', carry('MODEL_EDGE_UNPROVEN')],
    ]);
  },
);

const context = pointerGuard('G20', 'There is room in the context', ({ context: use }) =>
  firstOf({ ...use }, [
    [use.share === null, carry('CONTEXT_UNKNOWN')],
    [use.share !== null && use.share > use.threshold, carry('CONTEXT_PRESSURE')],
  ]),
);

const price = pointerGuard(
  'G22',
  'Reading it again is worth its price',
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
