import { FactLine } from '@/app/_components/chains/fact-line';
import { Cost, Unknown } from '@/app/_components/status/cost';
import { Duration } from '@/app/_components/status/duration';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Tokens } from '@/app/_components/status/tokens';
import type { TurnDto } from '@/lib/conversations/schema';
import { formatContextUse } from '@/lib/format/tokens';
import { microsOf } from '@/lib/usage/micros';

/** How a turn related to what was said before, why, and what it took. */
export function TurnFacts({ turn }: { turn: TurnDto }) {
  const { start, agent, model, startedAt, endedAt, contextTokens, contextWindow } = turn;
  return (
    <div className="flex flex-col gap-1 text-meta">
      {start ? (
        <StatusBadge
          kind="decision"
          state={start.mode}
          reason={
            <>
              {start.sentence}
              {start.isFallback
                ? ' It was resumed first, and refused; both starts are in its cost.'
                : null}
            </>
          }
        />
      ) : null}
      <p className="flex flex-wrap items-center gap-x-2 text-text-2 tabular-nums">
        <FactLine>
          <span>{agent === model ? agent : `${agent} (${model})`}</span>
          <Usage turn={turn} />
          {startedAt && endedAt ? <Duration from={startedAt} to={endedAt} /> : null}
          {contextTokens !== null && contextWindow !== null ? (
            <span>context {formatContextUse(contextTokens, contextWindow)}</span>
          ) : null}
        </FactLine>
      </p>
    </div>
  );
}

function Usage({ turn: { usage, endedAt } }: { turn: TurnDto }) {
  const { newInputTokens, cachedInputTokens, outputTokens, costUsd, isCostEstimated } = usage;
  if (newInputTokens + cachedInputTokens + outputTokens === 0) {
    return (
      <span>
        tokens and cost{' '}
        <Unknown
          reason={
            endedAt ? 'The process reported no usage' : 'A process reports its usage when it ends'
          }
        />
      </span>
    );
  }
  return (
    <FactLine>
      <span>
        <Tokens count={newInputTokens} /> new in
      </span>
      <span>
        <Tokens count={cachedInputTokens} /> from cache
      </span>
      <span>
        <Tokens count={outputTokens} /> out
      </span>
      <Cost
        micros={microsOf(costUsd)}
        form={endedAt === null ? 'running' : isCostEstimated ? 'estimate' : 'final'}
      />
    </FactLine>
  );
}
