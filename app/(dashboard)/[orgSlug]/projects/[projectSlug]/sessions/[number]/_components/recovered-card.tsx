import { RecoveredMark } from '@/app/_components/sessions/recovered-mark';
import { Card } from '@/app/_components/ui/card';
import { SafeText } from '@/app/_components/ui/safe-text';
import type { AttemptDto, RecoveredFrom } from '@/lib/insight/sessions/schema';

interface RecoveredCardProps {
  sessionNumber: number;
  attempts: readonly Pick<AttemptDto, 'id' | 'number' | 'recovery'>[];
  root: string;
}

const WHY: Record<RecoveredFrom['lineage'], string> = {
  attempt: 'The attempt before it was cut off.',
  parent: 'It began without the conversation of the tier before it.',
  project: 'It is of the cycle before it.',
};

/** What each start of the session got to read of an earlier one, word for word. */
export function RecoveredCard({ sessionNumber, attempts, root }: RecoveredCardProps) {
  return (
    <Card title="Recovered at the start">
      <div className="flex flex-col gap-4">
        {attempts.map(({ id, number, recovery }) =>
          recovery ? (
            <div key={id} className="flex flex-col gap-2">
              <RecoveredMark
                attemptLabel={`#${sessionNumber}.${number}`}
                recovery={recovery}
                root={root}
              />
              <p className="text-text-2 text-ui">{WHY[recovery.lineage]}</p>
              {recovery.section ? (
                <details>
                  <summary className="cursor-pointer text-ui">What the agent got to read</summary>
                  <pre className="mt-2 overflow-x-auto whitespace-pre-wrap rounded-control border border-line bg-sunken px-3 py-2 text-code">
                    <SafeText text={recovery.section} />
                  </pre>
                </details>
              ) : null}
            </div>
          ) : null,
        )}
      </div>
    </Card>
  );
}
