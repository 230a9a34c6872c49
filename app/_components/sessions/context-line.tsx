import type { DecisionDto } from '@/lib/insight/sessions/schema';
import { formatShare, formatTokens, formatTokensExact } from '@/lib/platform/format/count';

interface ContextLineProps {
  context: NonNullable<DecisionDto['context']>;
}

const SOURCES = {
  project: 'set for the project',
  installation: 'set by CLAUDEOPS_RESUME_CONTEXT_THRESHOLD',
};

/** How full the conversation was, what it took in all, and the limit that applied. */
export function ContextLine({ context }: ContextLineProps) {
  const { usedTokens, windowTokens, cumulativeTokens, isWindowKnown } = context;
  const { threshold, thresholdSource } = context;
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
      {cumulativeTokens === null ? (
        ''
      ) : (
        <>
          {' · '}
          <span
            title={`${formatTokensExact(cumulativeTokens)} tokens, summed over every request of the conversation`}
          >
            {formatTokens(cumulativeTokens)} tokens in all requests
          </span>
        </>
      )}
      {' · limit '}
      {Number((threshold * 100).toFixed(1))}%{' '}
      <span className="text-text-3">({SOURCES[thresholdSource]})</span>
    </p>
  );
}
