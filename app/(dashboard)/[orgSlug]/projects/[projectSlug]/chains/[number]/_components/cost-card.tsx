import { LiveCost } from '@/app/_components/log/log-provider';
import { Cost, Unknown } from '@/app/_components/status/cost';
import { type Tier, TierMark } from '@/app/_components/status/tier-mark';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import type { ChainDetail, ChainWork } from '@/lib/insight/chains/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { formatCounted } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';

interface CostCardProps {
  chain: ChainDetail;
  work: Pick<ChainWork, 'attempts' | 'ledger'>;
  root: string;
  jsonHref: string;
}

/** Every ledger row, the sum of each tier, and the total: one is made of the other. */
export function CostCard({ chain, work, root, jsonHref }: CostCardProps) {
  const { ledger } = work;
  const total = ledger.reduce((sum, row) => sum + row.costMicros, 0);
  const tiers = [...new Set(chain.sessions.map((session) => session.tier))];
  return (
    <Card
      title="Cost"
      actions={
        <a href={jsonHref} className="link text-ui" target="_blank" rel="noreferrer">
          JSON
        </a>
      }
    >
      <table className="w-full text-ui tabular-nums">
        <caption className="sr-only">Cost by tier, from the ledger</caption>
        <tbody>
          {tiers.map((tier) => {
            const sessions = chain.sessions.filter((session) => session.tier === tier);
            const known = sessions.flatMap((session) => session.durationMs ?? []);
            const turns = sessions.reduce((sum, session) => sum + session.turns, 0);
            return (
              <tr key={tier} className="border-line border-b align-top">
                <th scope="row" className="py-2 pr-2 text-left font-normal">
                  <TierMark tier={tier as Tier} />
                  <span className="block text-meta text-text-3">
                    {sessions.map((session) => (
                      <Link
                        key={session.id}
                        href={`${root}/sessions/${session.number}/ledger`}
                        className="link mr-2"
                      >
                        Session #{session.number}, {countOf(ledger, session.id)}
                      </Link>
                    ))}
                  </span>
                </th>
                <td className="py-2 text-right text-text-2">
                  {known.length > 0 ? formatDuration(known.reduce((sum, ms) => sum + ms, 0)) : null}
                  <Turns count={turns} />
                </td>
                <td className="py-2 pl-3 text-right">
                  <ChainCost chain={chain} work={work} tier={tier} />
                </td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr className="align-top">
            <th scope="row" className="pt-2 text-left font-semibold">
              Total
            </th>
            <td className="pt-2 text-right text-text-2">
              {formatTotalDuration(chain)}
              <Turns count={chain.sessions.reduce((sum, session) => sum + session.turns, 0)} />
            </td>
            <td className="pt-2 pl-3 text-right font-semibold">
              <ChainCost chain={chain} work={work} />
            </td>
          </tr>
        </tfoot>
      </table>
      {microsOf(chain.totalCostUsd) === total ? null : (
        <p className="mt-2 text-meta text-wait-fg">
          The rows changed while this page was made. Reload to see them as one.
        </p>
      )}
    </Card>
  );
}

function countOf(ledger: ChainWork['ledger'], sessionId: string): string {
  const count = ledger.filter((row) => row.sessionId === sessionId).length;
  return count === 1 ? '1 row' : `${count} rows`;
}

function Turns({ count }: { count: number }) {
  if (count === 0) return null;
  return <span className="block text-meta text-text-3">{formatCounted(count, 'turn')}</span>;
}

function formatTotalDuration(chain: ChainDetail): string {
  const known = chain.sessions.flatMap((session) => session.durationMs ?? []);
  return known.length === 0 ? '' : formatDuration(known.reduce((sum, ms) => sum + ms, 0));
}

interface ChainCostProps {
  chain: ChainDetail;
  work: Pick<ChainWork, 'attempts' | 'ledger'>;
  /** Of this tier alone. */
  tier?: number;
  /** Inside a link. */
  isPlain?: boolean;
}

/** The sum of the ledger; while sessions run, with what they have used since. */
export function ChainCost({ chain, work, tier, isPlain = false }: ChainCostProps) {
  const { attempts, ledger } = work;
  const isOurs = (of: { tier: number }) => tier === undefined || of.tier === tier;
  const rows = ledger.filter(isOurs);
  const sessions = chain.sessions.filter(isOurs);
  const micros = rows.reduce((sum, row) => sum + row.costMicros, 0);
  const isRunning = chain.outcome === null && (tier === undefined || hasLive(sessions));
  if (!isRunning) {
    const hasStarted = attempts.some(
      ({ sessionId, startedAt }) => startedAt && sessions.some(({ id }) => id === sessionId),
    );
    // Without a process nothing was spent, which is known.
    return rows.length === 0 && hasStarted ? (
      <Unknown reason="The process reported no usage" />
    ) : (
      <Cost micros={micros} form={rows.some((row) => row.isEstimate) ? 'estimate' : 'final'} />
    );
  }
  return (
    <LiveCost
      booked={{ micros, attemptIds: rows.map(({ attemptId }) => attemptId) }}
      sessionIds={sessions.map(({ id }) => id)}
      isPlain={isPlain}
    />
  );
}

function hasLive(sessions: readonly { endedAt: string | null }[]): boolean {
  return sessions.some(({ endedAt }) => endedAt === null);
}
