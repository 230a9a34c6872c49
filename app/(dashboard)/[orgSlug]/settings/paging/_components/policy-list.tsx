import { Time } from '@/app/_components/status/time';
import { cn } from '@/app/_components/ui/cn';
import type { CalendarDto, PolicyDto } from '@/lib/paging/schema';
import type { Choice } from './edit-form';
import { DeletePolicy, EditPolicy } from './edit-policy';
import { onCallSentence, repeatWords, stepWords } from './paging-words';

interface PolicyListProps {
  organizationSlug: string;
  policies: readonly PolicyDto[];
  channels: readonly Choice[];
  members: readonly Choice[];
  projects: readonly Choice[];
  mayChange: boolean;
}

/** Each policy with its steps, in order, and the projects that use it. */
export function PolicyList({ mayChange, ...choices }: PolicyListProps) {
  const { organizationSlug, policies, projects } = choices;
  return (
    <ul className="divide-y divide-line">
      {policies.map((policy) => (
        <li key={policy.id} id={policy.id} className="flex items-start gap-4 px-4 py-3">
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <h3 className="break-words font-medium">{policy.name}</h3>
            <ol className="list-decimal pl-5 text-text-2">
              {policy.steps.map((step) => (
                <li key={step.afterMinutes} className="break-words">
                  {stepWords(step, choices)}
                  {step.calendar ? <OnCall of={step.calendar} /> : null}
                </li>
              ))}
            </ol>
            {policy.warnings.map((warning) => (
              <p key={warning} className="break-words text-ui text-wait-fg">
                {warning}
              </p>
            ))}
            <p className="text-text-2 text-ui">{repeatWords(policy)}</p>
            <p className="break-words text-text-2 text-ui">{usedBy(policy, projects)}</p>
          </div>
          {mayChange ? (
            <div className="flex gap-2">
              <EditPolicy {...choices} policy={policy} />
              <DeletePolicy organizationSlug={organizationSlug} policy={policy} />
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** Who is on call now, and when that was read. */
function OnCall({ of }: { of: CalendarDto }) {
  return (
    <span className={cn('block text-ui', of.failure ? 'text-bad-fg' : 'text-text-2')}>
      {onCallSentence(of)}{' '}
      {of.readAt ? (
        <>
          Read <Time at={of.readAt} />.
        </>
      ) : null}
    </span>
  );
}

function usedBy({ projectIds }: PolicyDto, projects: readonly Choice[]): string {
  const names = projects.filter(({ id }) => projectIds.includes(id)).map(({ name }) => name);
  return names.length === 0 ? 'Used by no project yet.' : `Used by ${names.join(', ')}.`;
}
