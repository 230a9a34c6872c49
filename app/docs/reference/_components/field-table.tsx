import { DocLine } from '@/app/docs/_components/doc-markdown';
import type { FieldRow } from '@/lib/api/reference/field-rows';

interface FieldTableProps {
  label: string;
  rows: readonly (FieldRow & { place?: string })[];
  /** What is asked for may have to be there; what is answered is. */
  isRequest: boolean;
}

/** The looks stand on the list, since an answer may have some two hundred fields. */
const LOOKS =
  'divide-y divide-line overflow-hidden rounded-card border border-line bg-surface text-ui [&>div]:grid [&>div]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] [&>div]:gap-x-4 [&>div]:px-3 [&>div]:py-1.5 max-md:[&>div]:grid-cols-1 max-md:[&>div]:px-4 [&_b]:font-normal [&_b]:text-meta [&_b]:text-text-2 [&_dd]:min-w-0 [&_dt]:[overflow-wrap:anywhere] [&_dt_code]:text-code [&_i]:block [&_i]:text-text-3 [&_i]:not-italic [&_i]:[overflow-wrap:anywhere]';

export function FieldTable({ label, rows, isRequest }: FieldTableProps) {
  return (
    <dl aria-label={label} className={LOOKS}>
      {rows.map((row) => (
        <div key={`${row.place ?? ''} ${row.path}`}>
          <dt>
            <code>{row.path}</code>{' '}
            <b>
              {[row.place, isRequest && row.isRequired ? 'required' : null]
                .filter(Boolean)
                .join(', ')}
            </b>
          </dt>
          <dd>
            <i>{row.type}</i> <DocLine text={row.doc} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
