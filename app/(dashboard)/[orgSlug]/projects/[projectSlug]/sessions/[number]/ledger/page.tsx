import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { listRawFigures } from '@/lib/insight/sessions/get-session';
import { LedgerTable } from '../_components/ledger-table';
import { loadSession, type SessionParams } from '../_components/load-session';
import { RawFigures } from '../_components/raw-figures';

export default async function LedgerPage({ params }: { params: Promise<SessionParams> }) {
  const { scope, session, root } = await loadSession(params);
  if (session.ledger.length === 0) {
    return (
      <Card isFlush>
        <EmptyState title="Nothing is booked.">
          {session.endedAt
            ? 'No process of this session used a model.'
            : 'A process reports what it used when it ends; a killed one is estimated from its events.'}
        </EmptyState>
      </Card>
    );
  }
  const figures = await listRawFigures(scope, session.id);
  return (
    <div className="flex flex-col gap-6">
      <Card title="Ledger" note="net of the conversation before" isFlush>
        <LedgerTable session={session} root={root} />
      </Card>
      <RawFigures figures={figures} sessionNumber={session.number} />
    </div>
  );
}
