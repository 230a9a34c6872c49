import { Fragment } from 'react';
import { Card } from '@/app/_components/ui/card';
import { ROLES, type Role } from '@/lib/platform/db/roles';
import { actsGainedBy, ROLE_WORDS } from './role-words';

/** What each role may do, from the matrix that the services ask. */
export function RoleGuide() {
  return (
    <Card title="What each role may do">
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-y-2 text-ui max-md:grid-cols-1">
        {ROLES.map((role, index) => (
          <Fragment key={role}>
            <dt className="text-text-3">{ROLE_WORDS[role]}</dt>
            <dd className="max-w-prose text-text-2 max-md:mb-2">{sentenceOf(role, index > 0)}</dd>
          </Fragment>
        ))}
      </dl>
    </Card>
  );
}

function sentenceOf(role: Role, isMore: boolean): string {
  const acts = actsGainedBy(role);
  const list =
    acts.length > 1 ? `${acts.slice(0, -1).join(', ')}, and ${acts.at(-1)}` : (acts[0] ?? '');
  const sentence = `${list.charAt(0).toUpperCase()}${list.slice(1)}.`;
  return isMore ? `Also ${list}.` : sentence;
}
