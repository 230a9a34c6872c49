'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { hrefWith } from '../lists/list-params';
import { Select } from '../ui/select';
import type { PlotView } from './plot-view';

/** Which of several the plot is of. */
export function PlotChoice({ choice }: { choice: NonNullable<PlotView['choice']> }) {
  const router = useRouter();
  const path = usePathname();
  const params = useSearchParams();
  return (
    <Select
      aria-label={choice.label}
      value={choice.value}
      className="h-7 w-auto max-w-36"
      onChange={({ target }) =>
        router.push(hrefWith(path, Object.fromEntries(params), { [choice.name]: target.value }), {
          scroll: false,
        })
      }
    >
      {choice.options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </Select>
  );
}
