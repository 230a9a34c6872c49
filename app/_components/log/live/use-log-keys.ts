'use client';

import { useKeys } from '../../keys/use-keys';

export interface LogKeys {
  onFollow: () => void;
  onSearch: () => void;
  onFoldAll: () => void;
  onProblem: (step: 1 | -1) => void;
}

/** `f` and End follow, `/` searches, `e` folds, `n` and `N` go to the next and the last problem. */
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
    default:
      return null;
  }
}
