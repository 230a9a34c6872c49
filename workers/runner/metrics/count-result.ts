import { CHECK_TYPES, type CheckType } from '@/lib/protocol/checks/kinds';
import type { SERVICE_STATUSES } from '@/lib/protocol/spec';
import { runnerCheckResults } from './runner-metrics';

/** @param check a CheckSpec, or one of a later version, which is counted as `other` */
export function countResult(check: unknown, result: (typeof SERVICE_STATUSES)[number]): void {
  const type = typeof check === 'object' && check !== null ? Reflect.get(check, 'type') : null;
  const kind = CHECK_TYPES.find((each) => each === type) ?? ('other' as CheckType);
  runnerCheckResults.add({ kind, result });
}
