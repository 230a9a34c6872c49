'use client';

import { useKeys } from '../../keys/use-keys';

interface LogKeys {
  onFollow: () => void;
  onSearch: () => void;
  onFoldAll: () => void;
  onProblem: (step: 1 | -1) => void;
  onRow: (step: 1 | -1) => void;
  /** What opens or folds the row that has focus; null where that is no call. */
  onEnter: () => (() => void) | null;
  /** Null while nothing is to be closed. */
  onClose: (() => void) | null;
}

/**
 * `f` and End follow, `/` searches, `e` folds, `n` and `N` go to the next and the previous problem,
 * `j` and `k` to the next and the previous row, Enter opens or folds it, Escape closes the details.
 */
export function useLogKeys(keys: LogKeys): void {
  useKeys(({ key }) => actOf(key, keys));
}

function actOf(key: string, keys: LogKeys): (() => void) | null {
  switch (key) {
    case 'f':
    case 'End':
      return keys.onFollow;
    case '/':
      return keys.onSearch;
    case 'e':
      return keys.onFoldAll;
    case 'n':
      return () => keys.onProblem(1);
    case 'N':
      return () => keys.onProblem(-1);
    case 'j':
      return () => keys.onRow(1);
    case 'k':
      return () => keys.onRow(-1);
    case 'Enter':
      return keys.onEnter();
    case 'Escape':
      return keys.onClose;
    default:
      return null;
  }
}
