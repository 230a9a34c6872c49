import type { FixGroup, IncidentFigures } from './figures';
import type { IncidentFiguresDto } from './schema';

const MICROS_PER_USD = 1_000_000;

export function toDto(
  figures: IncidentFigures,
  { from, to, isCut }: { from: Date; to: Date; isCut: boolean },
): IncidentFiguresDto {
  const { fixes, fixesByTier, fixesByAction, fixesByModel, ...rest } = figures;
  return {
    ...{ from: from.toISOString(), to: to.toISOString(), isCut },
    ...rest,
    fixes: fixesDto(fixes),
    fixesByTier: fixesByTier.map((group) => ({ tier: Number(group.key), ...fixesDto(group) })),
    fixesByAction: fixesByAction.map((group) => ({ action: group.key, ...fixesDto(group) })),
    fixesByModel: fixesByModel.map((group) => ({ model: group.key, ...fixesDto(group) })),
  };
}

function fixesDto(group: FixGroup) {
  const { chains, reported, verdicts, provisional, provenRate, isCostEstimated, isSmall } = group;
  const usd = (micros: number | null) => (micros === null ? null : micros / MICROS_PER_USD);
  return {
    ...{ chains, reported, ...verdicts, provisional, provenRate },
    costUsd: usd(group.costMicros),
    ...{ isCostEstimated, unbookedChains: group.unbooked },
    costPerProvenFixUsd: usd(group.costPerProvenMicros),
    isSmall,
  };
}
