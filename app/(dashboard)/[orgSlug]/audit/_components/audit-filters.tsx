import { FilterBar } from '@/app/_components/lists/filter-bar';
import { FilterChips } from '@/app/_components/lists/filter-chips';
import { hrefWith, type Params, RANGE_WORDS, RANGES } from '@/app/_components/lists/list-params';
import { AUDIT_KIND_WORDS, AUDIT_KINDS, actionsOf } from '@/lib/identity/audit/actions';
import type { AuditPage } from '@/lib/identity/audit/read-audit';
import { type AuditView, actionWords, entryActor, kindTitle } from './audit-view';

interface AuditFiltersProps {
  path: string;
  params: Params;
  view: AuditView;
  page: Pick<AuditPage, 'actors' | 'projects' | 'project'>;
}

export function AuditFilters({ path, params, view, page }: AuditFiltersProps) {
  const { filter, span, range } = view;
  return (
    <>
      <FilterBar
        filters={[
          {
            name: 'actor',
            label: 'Actor',
            value: filter.actor,
            allLabel: 'Anyone',
            choices: page.actors.map((one) => ({ value: one.actor, label: entryActor(one) })),
          },
          {
            name: 'action',
            label: 'Action',
            value: filter.action,
            allLabel: 'Any action',
            choices: AUDIT_KINDS.flatMap((kind) => [
              { value: kind, label: `All about ${AUDIT_KIND_WORDS[kind]}`, group: kindTitle(kind) },
              ...actionsOf(kind).map((action) => ({
                value: action,
                label: actionWords(action),
                group: kindTitle(kind),
              })),
            ]),
          },
          {
            name: 'project',
            label: 'Project',
            value: page.project ?? undefined,
            allLabel: 'Any project',
            choices: page.projects.map(({ id, name, isDeleted }) => ({
              value: id,
              label: isDeleted ? `${name} (deleted)` : name,
            })),
          },
          {
            name: 'range',
            label: 'Time',
            value: range,
            allLabel: null,
            choices: RANGES.map((value) => ({ value, label: RANGE_WORDS[value] })),
          },
        ].filter(({ name }) => !span || name !== 'range')}
      />
      <FilterChips
        span={span}
        verb="Written"
        spanClearHref={hrefWith(path, params, { from: null, to: null })}
        words={[]}
      />
    </>
  );
}
