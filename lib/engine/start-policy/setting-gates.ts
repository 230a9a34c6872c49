/** What people have configured: maintenance windows, the tiers that may run, dry run. */
import { openWindowClause } from '@/lib/projects/maintenance/window';
import type { StartFacts } from './facts';
import type { ClosedGate } from './gate';

export function maintenanceGate({ tier, maintenance }: StartFacts): ClosedGate | null {
  if (!maintenance || (maintenance.effect === 'observe_only' && tier === 1)) return null;
  const only = maintenance.effect === 'observe_only' ? 'Only tier 1 may start. ' : '';
  return {
    code: 'MAINTENANCE',
    because: openWindowClause(maintenance),
    remedy: `${only}Wait until the window closes, or change it in the settings.`,
    ends: 'passes',
    waitReason: 'maintenance',
  };
}

export function tierGate({
  tier,
  projectName,
  maxTier,
  enabledTiers,
}: StartFacts): ClosedGate | null {
  if (tier > maxTier) {
    return {
      code: 'MAX_TIER',
      because: `tier ${tier} is above the maximum for ${projectName}, which is tier ${maxTier}`,
      remedy: 'Raise the maximum in the settings, or fix it yourself.',
      ends: 'person',
      waitReason: null,
    };
  }
  if (tier === 1 || enabledTiers.includes(tier)) return null;
  return {
    code: 'TIER_DISABLED',
    because: `tier ${tier} is turned off for ${projectName}`,
    remedy: 'Turn it on in the settings, or fix it yourself.',
    ends: 'person',
    waitReason: null,
  };
}

export function dryRunGate({ tier, projectName, isDryRun }: StartFacts): ClosedGate | null {
  if (!isDryRun || tier === 1) return null;
  return {
    code: 'DRY_RUN',
    because: `${projectName} is in dry run, in which no tier above 1 starts`,
    remedy: 'Turn dry run off first.',
    ends: 'settled',
    waitReason: null,
  };
}
