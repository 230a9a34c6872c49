import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

// Without the names of our scale the merge takes `text-meta` for a colour and drops it.
const merge = extendTailwindMerge({
  extend: {
    classGroups: {
      'font-size': [{ text: ['page', 'section', 'card', 'body', 'ui', 'meta', 'code', 'figure'] }],
      rounded: [{ rounded: ['badge', 'control', 'card', 'dialog'] }],
      shadow: [{ shadow: ['menu', 'dialog'] }],
    },
  },
});

/** Joins class names; of two that set the same property the later one stays. */
export function cn(...values: ClassValue[]): string {
  return merge(clsx(values));
}
