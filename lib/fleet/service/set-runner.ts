import type { TenantScope } from '@/lib/platform/db/scope';
import { postureSchema } from '@/lib/protocol/schema';
import type { RunnerDto, SetRunnerInput } from '../fleet/schema';
import { changeRunner } from './change-runner';

/** Sets which tiers a host may run and how many attempts at once; what runs already goes on. */
export function setRunner(
  scope: TenantScope,
  runnerId: string,
  input: SetRunnerInput,
  now = new Date(),
): Promise<RunnerDto> {
  return changeRunner(scope, runnerId, now, (runner) => {
    const before = { allowedTiers: runner.allowedTiers, slotLimit: runner.slotLimit };
    const after = {
      allowedTiers: input.allowedTiers ?? before.allowedTiers,
      slotLimit: input.slotLimit === undefined ? before.slotLimit : input.slotLimit,
    };
    if (JSON.stringify(before) === JSON.stringify(after)) return null;
    const offered = postureSchema.safeParse(runner.posture).data?.slots ?? runner.slots;
    const slots = Math.min(offered, after.slotLimit ?? offered);
    return {
      changes: { ...after, slots },
      action: 'runner.changed',
      detail: { before, after },
    };
  });
}
