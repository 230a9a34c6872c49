import { Unknown } from '../status/cost';
import { Duration } from '../status/duration';

interface SessionDurationProps {
  startedAt: string | null;
  endedAt: string | null;
}

export function SessionDuration({ startedAt, endedAt }: SessionDurationProps) {
  if (!startedAt) return <Unknown reason="It has not started" />;
  return <Duration from={startedAt} to={endedAt} className="whitespace-nowrap" />;
}
