/**
 * An incident as it is shown, by the API, webhooks, tools for agents, the command line, pages, messages and the
 * post-mortem. Ids are typed, times are ISO 8601 in UTC. Pure.
 */
import { z } from 'zod';
import { pageQuerySchema } from '@/lib/platform/http/cursor';
import { encodeId } from '@/lib/platform/ids';
import { projectRefSchema } from '@/lib/projects/view';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import { factsOf } from './incident';
import type { ShownIncident } from './incident-rows';
import { incidentTitle, summaryOf, utcClock, verifyingSentence } from './sentences';
import { anySignalFires } from './signals-of-incident';
import {
  INCIDENT_EVENT_KINDS,
  incidentResolutionSchema,
  incidentSeveritySchema,
  incidentSourceSchema,
  incidentStateSchema,
} from './states';

const time = z.string();

const incidentReferenceSchema = z.object({ id: z.string(), number: z.number().int() });

const incidentServiceSchema = z.object({
  name: z.string(),
  status: serviceStatusSchema.meta({ description: 'As last known.' }),
  worst: serviceStatusSchema.meta({ description: 'The worst that it was in this incident.' }),
  failingSince: time.meta({ description: 'Its first failure.' }),
  recoveredAt: time.nullable().meta({ description: 'Null while it fails or can’t be checked.' }),
  error: z.string().meta({ description: 'What its check found.' }),
  removedAt: time.nullable().meta({
    description:
      'When it left the incident because nothing checks it anymore, or another incident took it over. Null while it is part of the incident.',
  }),
});

const incidentSignalsDtoSchema = z.object({
  title: z.string().meta({ description: 'Of the first one, as its source writes it.' }),
  services: z.array(z.string()).meta({ description: 'The project’s services that they name.' }),
  sources: z.array(z.string()).meta({ description: 'Names of the alert sources.' }),
  isFiring: z.boolean().meta({ description: 'Whether any of them fires.' }),
});

export const incidentDtoSchema = z.object({
  /** `inc_…` */
  id: z.string(),
  number: z.number().int().meta({ description: 'Of the project’s incidents, from 1.' }),
  project: projectRefSchema,
  state: incidentStateSchema.meta({
    description:
      '`verifying`: everything is well again, but not for long enough to be sure. Only `resolved` is over.',
  }),
  severity: incidentSeveritySchema.meta({
    description: '`critical` if a service was down, `warning` if nothing was worse than degraded.',
  }),
  source: incidentSourceSchema.meta({ description: 'What opened it.' }),
  title: z.string().meta({
    description:
      'The services, at their worst: `web down`. If only alerts report it, the title of the first one.',
  }),
  summary: z.string().meta({ description: 'One sentence: what fails, or how it ended.' }),
  services: z
    .array(incidentServiceSchema)
    .meta({ description: 'In the order in which they failed.' }),
  alerts: incidentSignalsDtoSchema.nullable().meta({
    description: 'What other systems report; null if no alert belongs to it.',
  }),
  startedAt: time.meta({
    description:
      'The first failed check, the start of the first alert, or what a chain found first.',
  }),
  openedAt: time,
  acknowledgedAt: time.nullable(),
  acknowledgedBy: z.string().nullable(),
  acknowledgementEndsAt: time.nullable().meta({
    description: 'When the acknowledgement ends and the incident is open again; null: never.',
  }),
  silencedBy: z.string().nullable().meta({
    description: 'Who stopped the messages that people get about it; null: nobody.',
  }),
  silencedUntil: time.nullable().meta({
    description: 'When a silence ends; null: when the incident is resolved, or it isn’t silenced.',
  }),
  verifyingSince: time.nullable().meta({ description: 'Since when everything is well.' }),
  resolvedAt: time.nullable(),
  resolution: incidentResolutionSchema.nullable().meta({
    description:
      'How it ended: `fixed` after a chain that reported a fix, `recovered` without one, `removed` because nothing checks its services anymore, `manual` by a person, `merged` into another incident that continues, `reported` if only the sources of its alerts, or chains, say so and no check confirms it.',
  }),
  resolvedBy: z.string().nullable().meta({ description: 'The person who resolved or merged it.' }),
  mergedInto: incidentReferenceSchema.nullable().meta({
    description: 'The incident that took it over, because it is the same outage.',
  }),
  reopenings: z.number().int().meta({ description: 'How often it was reopened.' }),
  needsHumanSince: time.nullable().meta({ description: 'Since when people have to act.' }),
  chains: z
    .array(
      z.object({
        id: z.string(),
        number: z.number().int(),
        outcome: z.string().nullable(),
        highestTier: z.number().int(),
      }),
    )
    .meta({ description: 'Chains that looked at it or acted on it, in order.' }),
  costUsd: z.number().meta({ description: 'US dollars that these chains have cost.' }),
});
export type IncidentDto = z.infer<typeof incidentDtoSchema>;

export const incidentDetailQuerySchema = z.object({
  until: z.coerce.number().int().positive().max(2_147_483_647).optional(),
});

/** What a line of the timeline rests on. */
const EVIDENCE_KINDS = ['check_results', 'chain', 'approval', 'message', 'incident'] as const;

const evidenceSchema = z.object({
  kind: z.enum(EVIDENCE_KINDS).meta({
    description:
      'What the page shows: results of checks, a chain with its commands, an approval, the state of messages, or the incident’s own record.',
  }),
  label: z.string(),
  path: z.string().meta({ description: 'Address of the page, without the host: `/acme/…`.' }),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** What the timeline has apart from the incident's own events. */
const OTHER_ENTRY_KINDS = ['approval_requested', 'approval_decided', 'notified'] as const;

export const timelineEntrySchema = z.object({
  sequence: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Number of the event; null for approvals and messages.' }),
  at: time,
  kind: z.enum([...INCIDENT_EVENT_KINDS, ...OTHER_ENTRY_KINDS]),
  text: z.string().meta({ description: 'One sentence.' }),
  chainNumber: z.number().int().nullable(),
  evidence: evidenceSchema.meta({ description: 'The page that shows what it rests on.' }),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

export const incidentDetailSchema = incidentDtoSchema.extend({
  earlier: incidentReferenceSchema
    .nullable()
    .meta({ description: 'The last incident of the same service before it.' }),
  mergedFrom: z
    .array(incidentReferenceSchema)
    .meta({ description: 'Incidents that were merged into it, and are counted with it.' }),
  timeline: z.array(timelineEntrySchema).meta({
    description:
      'What happened, in order: the newest 500 events, or the last ones up to `until`, with approvals and messages.',
  }),
  earlierEvents: z.number().int().meta({ description: 'How many events there are before these.' }),
  earlierUntil: z.number().int().nullable().meta({
    description: 'As `until`, it returns the events before these; null if there are none.',
  }),
  laterUntil: z.number().int().nullable().meta({
    description: 'As `until`, it returns the events after these; null if there are none.',
  }),
});
export type IncidentDetail = z.infer<typeof incidentDetailSchema>;

export const incidentQuerySchema = pageQuerySchema.extend({
  state: incidentStateSchema.or(z.literal('active')).optional().meta({
    description: 'Only those in this state; `active`: all that aren’t resolved.',
  }),
  /** Id or slug. */
  project: z.string().optional(),
  service: z.string().max(60).optional().meta({ description: 'Only those of this service.' }),
});
export type IncidentQuery = z.infer<typeof incidentQuerySchema>;

const MICROS_PER_USD = 1_000_000;

/** Names another incident. */
export function referenceOf({ id, number }: { id: string; number: number }) {
  return { id: encodeId('inc', id), number };
}

/** @param costMicros what its chains have cost, in micro-dollars */
export function toIncidentDto(incident: ShownIncident, costMicros: number): IncidentDto {
  const { alerts, mergedInto } = incident;
  const { acknowledgement, silence, needsHuman, resolution, resolvedBy, ...times } =
    factsOf(incident);
  const iso = (at: Date | null | undefined) => at?.toISOString() ?? null;
  return {
    id: encodeId('inc', incident.id),
    number: incident.number,
    project: { ...incident.project, id: encodeId('prj', incident.project.id) },
    ...{ state: incident.state, severity: incident.severity, source: incident.source },
    title: incidentTitle(incident),
    summary: summaryOf(incident, utcClock),
    services: incident.services.map(({ name, status, worst, failingSince, ...service }) => ({
      ...{ name, status, worst, error: service.error },
      failingSince: failingSince.toISOString(),
      recoveredAt: iso(service.recoveredAt),
      removedAt: iso(service.removedAt),
    })),
    alerts: alerts && {
      title: alerts.title,
      services: alerts.services.map(({ name }) => name),
      sources: alerts.sources,
      isFiring: anySignalFires(incident),
    },
    startedAt: incident.startedAt.toISOString(),
    openedAt: incident.openedAt.toISOString(),
    acknowledgedAt: iso(acknowledgement?.at),
    acknowledgedBy: acknowledgement?.by ?? null,
    acknowledgementEndsAt: iso(acknowledgement?.endsAt),
    silencedBy: silence?.by ?? null,
    silencedUntil: iso(silence?.endsAt),
    verifyingSince: iso(times.verifyingSince),
    resolvedAt: iso(times.resolvedAt),
    ...{ resolution, resolvedBy },
    mergedInto: mergedInto && referenceOf(mergedInto),
    reopenings: incident.reopenings,
    needsHumanSince: iso(needsHuman?.since),
    chains: incident.chains.map(({ id, number, outcome, highestTier }) => ({
      ...{ id: encodeId('chn', id), number, outcome, highestTier },
    })),
    costUsd: costMicros / MICROS_PER_USD,
  };
}

/** What webhooks say of an incident. Fields are added, never removed. */
export const incidentWebhookSchema = z.object({
  incident: incidentDtoSchema
    .pick({
      ...{ id: true, number: true, state: true, severity: true, source: true },
      ...{ startedAt: true, openedAt: true, resolvedAt: true, resolution: true },
      ...{ acknowledgedBy: true, reopenings: true },
    })
    .extend({
      /** Rises with every change of the incident: a receiver can drop what is older. */
      sequence: z.number().int().positive(),
      /** Whether people have to act. */
      needsHuman: z.boolean(),
      // Earlier events have none of these.
      mergedInto: incidentReferenceSchema.nullish(),
      silencedBy: z.string().nullish(),
      silencedUntil: time.nullish(),
    }),
  services: z.array(incidentServiceSchema.omit({ worst: true, removedAt: true })),
  /** What other systems report: text of theirs. Null if no alert belongs to it. */
  alerts: incidentSignalsDtoSchema.omit({ isFiring: true }).nullish(),
});

/** Returns what a webhook says of an incident. */
export function toIncidentWebhook(incident: ShownIncident): z.infer<typeof incidentWebhookSchema> {
  const dto = toIncidentDto(incident, 0);
  const needsHuman = dto.needsHumanSince !== null;
  return incidentWebhookSchema.parse({
    ...dto,
    incident: { ...dto, needsHuman, sequence: incident.sequence },
  });
}

/** Whether it needs a human, and nobody is one. */
export function waitsForHuman({
  state,
  needsHumanSince,
}: Pick<IncidentDto, 'state' | 'needsHumanSince'>): boolean {
  return state === 'open' && needsHumanSince !== null;
}

/** What fails or how it ended, and who has to do something. */
export function incidentSentence(
  incident: Pick<
    IncidentDto,
    | ('state' | 'source' | 'summary' | 'needsHumanSince' | 'acknowledgedBy' | 'silencedBy')
    | ('chains' | 'services' | 'alerts')
  >,
): string {
  const sentence = stateSentence(incident);
  return incident.silencedBy === null
    ? sentence
    : `${sentence} Nobody is notified: it is silenced.`;
}

function stateSentence(incident: Parameters<typeof incidentSentence>[0]): string {
  const { state, summary, acknowledgedBy, chains } = incident;
  if (state === 'resolved') return summary;
  if (state === 'verifying') return verifyingSentence(incident);
  if (state === 'acknowledged')
    return `${summary} ${acknowledgedBy ?? 'Someone'} is working on it.`;
  if (waitsForHuman(incident)) return `${summary} It needs a human.`;
  const moving = chains.findLast(({ outcome }) => outcome === null);
  return moving ? `${summary} Chain #${moving.number} is looking at it.` : summary;
}
