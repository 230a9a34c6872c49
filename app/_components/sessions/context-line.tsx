import { formatShare, formatTokens, formatTokensExact } from '@/lib/format/tokens';
import type { DecisionDto } from '@/lib/sessions/schema';

interface ContextLineProps {
  context: NonNullable<DecisionDto['context']>;
  /** Tokens of the whole conversation, summed over its requests; null where not known. */
  cumulativeTokens?: number | null;
}

const SOURCES = {
  project: 'set for the project',
  installation: 'set by CLAUDEOPS_RESUME_CONTEXT_THRESHOLD',
};

/** How full the conversation was, and the limit that was in force. */
export function ContextLine({ context, cumulativeTokens = null }: ContextLineProps) {
  const { usedTokens, windowTokens, threshold, thresholdSource, isWindowKnown } = context;
  return (
    <p className="text-text-2 text-ui tabular-nums">
      {usedTokens === null ? (
        'Context not reported'
      ) : (
        <span
          title={`${formatTokensExact(usedTokens)} of ${formatTokensExact(windowTokens)} tokens`}
        >
          Context {formatShare(usedTokens, windowTokens)} of {formatTokens(windowTokens)}
        </span>
      )}
      {isWindowKnown ? '' : ' (window assumed)'}
      {cumulativeTokens === null
        ? ''
        : ` · ${formatTokens(cumulativeTokens)} tokens in all requests`}
      {' · limit '}
      {Number((threshold * 100).toFixed(1))}%{' '}
      <span className="text-text-3">({SOURCES[thresholdSource]})</span>
    </p>
  );
}
