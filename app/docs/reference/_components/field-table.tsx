import { DataTable } from '@/app/_components/ui/table';
import { InlineText } from '@/app/docs/_components/inlines';
import type { FieldRow } from '@/lib/api/reference/field-rows';

type Row = FieldRow & { place?: string };

interface FieldTableProps {
  label: string;
  rows: readonly Row[];
  /** What is asked for may have to be there; what is answered is. */
  isRequest: boolean;
}

export function FieldTable({ label, rows, isRequest }: FieldTableProps) {
  return (
    <DataTable<Row>
      label={label}
      rows={rows}
      rowKey={(row) => `${row.place ?? ''} ${row.path}`}
      columns={[
        {
          key: 'name',
          header: 'Name',
          phone: 'title',
          className: 'md:w-72',
          cell: (row) => (
            <span className="flex flex-wrap items-baseline gap-x-2">
              <code className="text-code [overflow-wrap:anywhere]">{row.path}</code>
              {row.place ? <span className="text-meta text-text-3">{row.place}</span> : null}
              {isRequest && row.isRequired ? (
                <span className="text-meta text-text-2">required</span>
              ) : null}
            </span>
          ),
        },
        {
          key: 'type',
          header: 'Type',
          className: 'md:w-56',
          cell: (row) => <span className="text-text-2 [overflow-wrap:anywhere]">{row.type}</span>,
        },
        { key: 'doc', header: 'Meaning', cell: (row) => <InlineText text={row.doc} /> },
      ]}
    />
  );
}
