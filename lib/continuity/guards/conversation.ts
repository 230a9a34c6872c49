/** Is continuing it a good idea: for this model, this size, this trust, this price? */
import { modelEdge } from '../model-edge';
import { carry, firstOf, type Guard, pointerGuard } from './guard';

const model = pointerGuard(
  'G19',
  'This model may continue what that model said',
  ({ request, pointer, policy }) => {
    const edge = modelEdge(pointer.model, request.model, policy);
    const compared = {
      parentModel: pointer.model,
      model: request.model,
      edge,
      otherEdges: policy.otherEdges,
    };
    return firstOf(compared, [
      [edge === 'denied', carry('MODEL_EDGE_DENIED')],
      [edge === 'unproven' && policy.otherEdges === 'deny', carry('MODEL_EDGE_UNPROVEN')],
    ]);
  },
);

const context = pointerGuard('G20', 'There is room in the context', ({ context: use }) =>
  firstOf({ ...use }, [
    [use.share === null, carry('CONTEXT_UNKNOWN')],
    [use.share !== null && use.share > use.threshold, carry('CONTEXT_PRESSURE')],
  ]),
);

const secrets = pointerGuard(
  'G21',
  'It holds no secrets that the next reader may not see',
  ({ request, pointer, policy }) => {
    const { crossesTrustDomain } = request;
    const { needsCleanTranscript } = policy;
    const { secretScan } = pointer;
    const mustBeClean = crossesTrustDomain || needsCleanTranscript;
    return firstOf({ secretScan, crossesTrustDomain, needsCleanTranscript }, [
      [mustBeClean && secretScan !== 'clean', carry('SECRETS_DIRTY')],
    ]);
  },
);

const trust = pointerGuard(
  'G22',
  'This tier may read it, and it is worth its price',
  ({ request, policy, context: use }) => {
    const isHandoffOnly = policy.handoffOnlyTiers.includes(request.tier);
    const { maxRereadTokens } = policy;
    const rereadTokens = use.usedTokens;
    const isTooDear = maxRereadTokens !== null && (rereadTokens ?? 0) > maxRereadTokens;
    return firstOf({ isHandoffOnly, rereadTokens, maxRereadTokens }, [
      [isHandoffOnly, carry('TRUST_POLICY')],
      [isTooDear, carry('UNECONOMIC')],
    ]);
  },
);

export const CONVERSATION_GUARDS: readonly Guard[] = [model, context, secrets, trust];
