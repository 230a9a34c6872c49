import type { FieldChange } from '@/lib/projects/difference';
import { fieldLabel, fieldValue } from '@/lib/projects/field-labels';

/** Before and after, one row for each value. */
export function DifferenceList({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <ul className="flex flex-col divide-y divide-line text-ui">
      {changes.map((change) => (
        <li
          key={change.path}
          className="grid grid-cols-[minmax(0,14rem)_minmax(0,1fr)] gap-x-4 gap-y-0.5 py-1.5 max-md:grid-cols-1"
        >
          <span className="break-words text-text-2">{fieldLabel(change.path)}</span>
          <span className="min-w-0 break-words font-mono text-code">
            <del className="text-bad-fg decoration-bad-mark/50">{fieldValue(change.before)}</del>{' '}
            <ins className="text-ok-fg no-underline">{fieldValue(change.after)}</ins>
          </span>
        </li>
      ))}
    </ul>
  );
}
