import { RecoveredMark } from '@/app/_components/sessions/recovered-mark';
import type { WorkAttempt } from '@/lib/insight/chains/work/schema';
import type { SessionItem } from '@/lib/insight/sessions/schema';

interface RecoveryListProps {
  sessions: readonly SessionItem[];
  attempts: readonly WorkAttempt[];
  root: string;
}

/** Below the lanes: which starts got to read what an earlier session knew. */
export function RecoveryList({ sessions, attempts, root }: RecoveryListProps) {
  const recovered = attempts.filter(({ recovery }) => recovery !== null);
  if (recovered.length === 0) return null;
  return (
    <ul aria-label="Recovered starts" className="mt-3 flex flex-col gap-1">
      {recovered.map(({ id, sessionId, number, recovery }) => {
        const session = sessions.find((each) => each.id === sessionId);
        if (!session || !recovery) return null;
        return (
          <li key={id}>
            <RecoveredMark
              attemptLabel={`#${session.number}.${number}`}
              recovery={recovery}
              root={root}
            />
          </li>
        );
      })}
    </ul>
  );
}
