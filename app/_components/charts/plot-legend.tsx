import Link from 'next/link';
import type { LegendItem } from './plot-view';
import { Swatch } from './swatch';

/** In the order of the picture. A series that is a filter of a list leads to it. */
export function PlotLegend({ items }: { items: readonly LegendItem[] }) {
  // One series needs no key.
  if (items.length < 2) return null;
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-0.5 text-meta text-text-2">
      {items.map((item) => (
        <li key={item.label}>
          {item.href ? (
            <Link
              href={item.href}
              prefetch={false}
              className="inline-flex min-h-6 items-center gap-1.5 rounded-badge hover:text-text hover:underline"
            >
              <Swatch fill={item.fill} shape={item.shape} /> {item.label}
            </Link>
          ) : (
            <span className="inline-flex min-h-6 items-center gap-1.5">
              <Swatch fill={item.fill} shape={item.shape} /> {item.label}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
