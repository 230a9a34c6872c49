'use client';

import { useCallback, useMemo } from 'react';
import { Denial } from '@/app/_components/log/denial';
import { isOpenByDefault } from '@/app/_components/log/fold';
import { lastCallSeq } from '@/app/_components/log/live/rows';
import { useFolds } from '@/app/_components/log/live/use-folds';
import { LogItems } from '@/app/_components/log/log-group';
import { MetaRow, MissingRow } from '@/app/_components/log/log-row';
import type { CallItem, LogRow } from '@/app/_components/log/log-rows';
import { NoticeRow } from '@/app/_components/log/notice-row';
import { workRows } from './work-rows';

interface TurnWorkProps {
  rows: readonly LogRow[];
  /** The newest call is open while it runs. */
  isLive: boolean;
  /** Null for people who may not change rules. */
  reviewHref: string | null;
}

/** What an agent says and calls on the way to its answer, folded as in a session's log. */
export function TurnWork({ rows, isLive, reviewHref }: TurnWorkProps) {
  const shown = useMemo(() => workRows(rows), [rows]);
  const lastCall = isLive ? lastCallSeq(shown) : null;
  const { chosen, toggle } = useFolds(lastCall);
  const isCallOpen = useCallback(
    (call: CallItem) => chosen.get(call.seq) ?? isOpenByDefault(call, call.seq === lastCall),
    [chosen, lastCall],
  );
  const denialOf = (call: CallItem) => (
    <Denial tier={1} tool={call.tool} isOffered reviewHref={reviewHref} />
  );
  return shown.map((row) => {
    switch (row.type) {
      case 'request':
        return (
          <LogItems
            key={row.seq}
            items={row.items}
            isCallOpen={isCallOpen}
            onToggleCall={toggle}
            denialOf={denialOf}
          />
        );
      case 'notice':
        return <NoticeRow key={row.seq} row={row} />;
      case 'meta':
        return <MetaRow key={row.seq} row={row} />;
      case 'missing':
        return <MissingRow key={row.seq} row={row} />;
      default:
        return null;
    }
  });
}
