import type { ReactNode } from 'react';
import { FactLine } from '@/app/_components/chains/fact-line';
import { Cost, Unknown } from '@/app/_components/status/cost';
import { Duration } from '@/app/_components/status/duration';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Tokens } from '@/app/_components/status/tokens';
import type { TurnDto } from '@/lib/conversations/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { formatContextUse } from '@/lib/platform/format/count';

/** How a turn related to what was said before, why, and what it took. */
export function TurnFacts({ turn, isMoving }: { turn: TurnDto; isMoving: boolean }) {
  const { start, agent, model, startedAt, endedAt, contextTokens, contextWindow } = turn;
  return (
    <div className="flex flex-col gap-1">
      {start && !start.isSent && start.mode !== 'refuse' ? (
        <p className="text-text-2 text-ui">{start.sentence}</p>
      ) : null}
      {start && (start.isSent || start.mode === 'refuse') ? (
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
      <p className="flex flex-wrap items-center gap-x-2 text-text-2 text-ui tabular-nums">
        <FactLine>
          <span>{agent === model ? agent : `${agent} (${model})`}</span>
          {isMoving ? null : usageOf(turn)}
          {startedAt && endedAt ? <Duration from={startedAt} to={endedAt} /> : null}
          {contextTokens !== null && contextWindow !== null ? (
            <span>context {formatContextUse(contextTokens, contextWindow)}</span>
          ) : null}
        </FactLine>
      </p>
    </div>
  );
}

/** Input of both kinds, output, cost: one fact each, so that a line may break between them. */
function usageOf({ usage }: TurnDto): ReactNode[] {
  const { newInputTokens, cachedInputTokens, outputTokens, costUsd, isCostEstimated } = usage;
  if (newInputTokens + cachedInputTokens + outputTokens === 0) {
    return [
      <span key="none">
        tokens and cost <Unknown reason="The process reported no usage" />
      </span>,
    ];
  }
  return [
    <span key="new">
      <Tokens count={newInputTokens} /> new in
    </span>,
    <span key="cached">
      <Tokens count={cachedInputTokens} /> from cache
    </span>,
    <span key="out">
      <Tokens count={outputTokens} /> out
    </span>,
    <Cost key="cost" micros={microsOf(costUsd)} form={isCostEstimated ? 'estimate' : 'final'} />,
  ];
}
