import { loadSession, type SessionParams } from '../_components/load-session';
import { SessionReport } from '../_components/session-report';

export default async function ReportPage({ params }: { params: Promise<SessionParams> }) {
  const { session } = await loadSession(params);
  return <SessionReport session={session} />;
}
