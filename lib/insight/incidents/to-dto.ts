import { type AffectedService, unprovenChecksSchema } from '@/lib/incidents/incident';
import { failureSentence, incidentTitle, resolutionSentence } from '@/lib/incidents/sentences';
import { anySignalFires, incidentSignalsSchema } from '@/lib/incidents/signals-of-incident';
import {
  incidentResolutionSchema,
  incidentSeveritySchema,
  incidentSourceSchema,
  incidentStateSchema,
} from '@/lib/incidents/states';
import { encodeId } from '@/lib/platform/ids';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import type { ShownIncident } from './data';
import type { IncidentDto } from './schema';

const MICROS_PER_USD = 1_000_000;

/** `2026-11-26 03:02 UTC`: the API and the command line have no reader's time zone. */
export function utcClock(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function asService(row: ShownIncident['services'][number]): AffectedService {
  return {
    ...row,
    status: serviceStatusSchema.parse(row.status),
    worst: row.worst === 'down' ? 'down' : 'degraded',
  };
}

/** Names another incident. */
export function referenceOf({ id, number }: { id: string; number: number }) {
  return { id: encodeId('inc', id), number };
}

/** @param costMicros what its chains have cost, in micro-dollars */
export function toIncidentDto(row: ShownIncident, costMicros: number): IncidentDto {
  const services = row.services.map(asService);
  const state = incidentStateSchema.parse(row.state);
  const resolution = incidentResolutionSchema.nullable().parse(row.resolution);
  const signals = incidentSignalsSchema.nullable().parse(row.alerts);
  const unproven = unprovenChecksSchema.nullable().parse(row.unproven);
  const facts = { ...row, services, resolution, alerts: signals, unproven };
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  return {
    id: encodeId('inc', row.id),
    number: row.number,
    project: { ...row.project, id: encodeId('prj', row.project.id) },
    state,
    severity: incidentSeveritySchema.parse(row.severity),
    source: incidentSourceSchema.parse(row.source),
    title: incidentTitle({ services, alerts: signals }),
    summary:
      state === 'resolved' ? resolutionSentence(facts, utcClock) : failureSentence(facts, utcClock),
    services: services.map(({ name, status, worst, failingSince, recoveredAt, ...rest }) => ({
      ...{ name, status, worst, error: rest.error },
      failingSince: failingSince.toISOString(),
      recoveredAt: iso(recoveredAt),
      removedAt: iso(rest.removedAt),
    })),
    alerts: signals && {
      title: signals.title,
      services: signals.services.map(({ name }) => name),
      sources: signals.sources,
      isFiring: anySignalFires({ alerts: signals }),
    },
    startedAt: row.startedAt.toISOString(),
    openedAt: row.openedAt.toISOString(),
    acknowledgedAt: iso(row.acknowledgedAt),
    acknowledgedBy: row.acknowledgedBy,
    acknowledgementEndsAt: iso(row.acknowledgementEndsAt),
    silencedBy: row.silencedBy,
    silencedUntil: iso(row.silencedUntil),
    verifyingSince: iso(row.verifyingSince),
    resolvedAt: iso(row.resolvedAt),
    resolution,
    resolvedBy: row.resolvedBy,
    mergedInto: row.mergedInto && referenceOf(row.mergedInto),
    reopenings: row.reopenings,
    needsHumanSince: iso(row.needsHumanSince),
    chains: row.chains.map(({ chain }) => ({ ...chain, id: encodeId('chn', chain.id) })),
    costUsd: costMicros / MICROS_PER_USD,
  };
}
