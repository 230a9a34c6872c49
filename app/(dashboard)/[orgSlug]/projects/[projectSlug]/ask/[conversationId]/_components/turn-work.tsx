'use client';

import { useMemo, useState } from 'react';
import { RowScopeContext } from '@/app/_components/log/call-row';
import type { LogRow as LogRowData } from '@/app/_components/log/events';
import { LogRow } from '@/app/_components/log/log-row';
import { lastCallSeq, openCalls } from '@/app/_components/log/rows';
import { workRows } from './work-rows';

interface TurnWorkProps {
  rows: readonly LogRowData[];
  /** The newest call is open while it runs. */
  isLive: boolean;
  /** Null for people who may not change rules. */
  reviewHref: string | null;
}

/** What an agent says and calls on the way to its answer, folded as in a session's log. */
export function TurnWork({ rows, isLive, reviewHref }: TurnWorkProps) {
  const shown = useMemo(() => workRows(rows), [rows]);
  const lastCall = isLive ? lastCallSeq(shown) : null;
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const scope = useMemo(
    () => ({
      ...{ tier: 1 as const, tools: [], reviewHref },
      onToggle: ({ seq }: { seq: number }, isOpen: boolean) =>
        setChosen((before) => new Map(before).set(seq, !isOpen)),
    }),
    [reviewHref],
  );
  return (
    <RowScopeContext value={scope}>
      {shown.map((row) => (
        <LogRow
          key={row.seq}
          row={row}
          open={openCalls(row, (seq) => chosen.get(seq), lastCall)}
          isBare
        />
      ))}
    </RowScopeContext>
  );
}
