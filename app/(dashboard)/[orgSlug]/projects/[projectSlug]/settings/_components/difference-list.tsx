'use client';

import { type FieldChange, fieldLabel, fieldValue } from '@/lib/projects/difference';
import { useSettings } from './settings-context';
import { TextDifference } from './text-difference';

/** Before and after, one row for each value; a text, such as a prompt, by its words. */
export function DifferenceList({ changes }: { changes: readonly FieldChange[] }) {
  const settings = useSettings();
  return (
    <ul className="flex flex-col divide-y divide-line text-ui">
      {changes.map((change) => (
        <li
          key={change.path}
          className="grid grid-cols-[minmax(0,14rem)_minmax(0,1fr)] gap-x-4 gap-y-0.5 py-1.5 max-md:grid-cols-1"
        >
          <span className="break-words text-text-2">{fieldLabel(settings, change.path)}</span>
          <ChangedValue label={fieldLabel(settings, change.path)} {...change} />
        </li>
      ))}
    </ul>
  );
}

function ChangedValue({ label, before, after }: FieldChange & { label: string }) {
  // Never the bare value: the target of a check may hold a password.
  const [from, to] = [fieldValue(before), fieldValue(after)];
  if (isText(before) && isText(after)) {
    return <TextDifference label={`Difference of ${label}`} before={from} after={to} />;
  }
  return (
    <span className="min-w-0 whitespace-pre-wrap break-words font-mono text-code">
      <del className="text-bad-fg decoration-bad-mark/50">{from}</del>{' '}
      <ins className="text-ok-fg no-underline">{to}</ins>
    </span>
  );
}

/** Something written in sentences or lines, too long to be read twice for one word. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && (value.length > 60 || value.includes('\n'));
}
