import type { ReactNode } from 'react';
import { SessionCost, SessionDuration } from '@/app/_components/sessions/session-cost';
import { Unknown } from '@/app/_components/status/cost';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { type Tier, TierMark } from '@/app/_components/status/tier-mark';
import { Time } from '@/app/_components/status/time';
import { Link } from '@/app/_components/ui/link';
import type { SessionComparison } from '@/lib/insight/sessions/get-comparison';
import type { SessionDetail } from '@/lib/insight/sessions/schema';
import { formatCount, formatShare, formatTokens } from '@/lib/platform/format/count';

interface FactTableProps {
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  comparison: SessionComparison;
}

interface Fact {
  name: string;
  of: (session: SessionDetail, index: 0 | 1) => ReactNode;
}

export function FactTable({ root, comparison }: FactTableProps) {
  const { first, second, commandCounts } = comparison;
  const facts: Fact[] = [
    {
      name: 'Status',
      of: ({ status, statusText }) => (
        <StatusBadge kind="session" state={status} reason={statusText || undefined} />
      ),
    },
    {
      name: 'Chain',
      of: ({ chainNumber }) => (
        <Link href={`${root}/chains/${chainNumber}`} className="link">
          Chain #{chainNumber}
        </Link>
      ),
    },
    { name: 'Tier', of: ({ tier }) => <TierMark tier={tier as Tier} form="long" /> },
    { name: 'Model', of: ({ model }) => model },
    {
      name: 'Continued by',
      of: ({ mechanism, fallback }) =>
        mechanism ? (
          `${mechanism}${fallback ? ', after a rejected resume' : ''}`
        ) : (
          <Unknown reason="No process was started" />
        ),
    },
    {
      name: 'Started',
      of: ({ startedAt }) =>
        startedAt ? <Time at={startedAt} /> : <Unknown reason="It never started" />,
    },
    { name: 'Duration', of: (session) => <SessionDuration {...session} /> },
    { name: 'Turns', of: ({ turns }) => formatCount(turns) },
    { name: 'Commands', of: (_session, index) => formatCount(commandCounts[index]) },
    {
      name: 'Context',
      of: ({ contextUse }) =>
        contextUse ? (
          contextUse.windowTokens === null ? (
            `${formatTokens(contextUse.usedTokens)} tokens`
          ) : (
            `${formatShare(contextUse.usedTokens, contextUse.windowTokens)} of ${formatTokens(contextUse.windowTokens)}`
          )
        ) : (
          <Unknown reason="The process reported no usage" />
        ),
    },
    { name: 'Cost', of: (session) => <SessionCost {...session} /> },
    {
      name: 'Report',
      of: ({ report }) =>
        typeof report?.summary === 'string' ? (
          <span className="break-words">{report.summary}</span>
        ) : (
          <Unknown reason="No report was handed in" />
        ),
    },
  ];
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface">
      <table aria-label="Facts" className="w-full table-fixed text-ui">
        <thead>
          <tr>
            <th scope="col" className="h-9 w-32 px-3 text-left text-meta text-text-3 max-md:w-24">
              Fact
            </th>
            {[first, second].map((session, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns that never change places
              <th key={index} scope="col" className="px-3 text-left">
                <Link href={`${root}/sessions/${session.number}`} className="link">
                  Session #{session.number}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts.map(({ name, of }) => (
            <tr key={name} className="border-line border-t">
              <th scope="row" className="px-3 py-1.5 text-left align-top font-normal text-text-3">
                {name}
              </th>
              <td className="px-3 py-1.5 align-top tabular-nums [overflow-wrap:anywhere]">
                {of(first, 0)}
              </td>
              <td className="px-3 py-1.5 align-top tabular-nums [overflow-wrap:anywhere]">
                {of(second, 1)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
