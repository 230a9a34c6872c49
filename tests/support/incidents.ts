/** Incidents as the rules see them. */
import { type Ending, factsOf, type Incident, type IncidentIn } from '@/lib/incidents/incident';
import { columnsOf, type StoredIncident, type toStored } from '@/lib/incidents/incident-rows';
import { INCIDENT_RESOLUTIONS, INCIDENT_STATES } from '@/lib/incidents/states';

const AT = new Date('2026-11-26T03:00:00Z');
const CHAIN = '0191a2b3-0000-7000-8000-00000000c4a1';
const LASTING = {
  ...{ source: 'check', severity: 'critical', startedAt: AT, openedAt: AT },
  ...{ reopenings: 0, lastReopenedAt: null, services: [], alerts: null },
} as const;
const FAILING = { ...LASTING, silence: null, needsHuman: null, fixChainId: null, humanDueAt: null };
const ACKNOWLEDGEMENT = { at: AT, by: 'Ana', endsAt: null };

/** With nothing but what the state needs. */
const BARE = {
  open: { ...FAILING, state: 'open', lookDueAt: null },
  acknowledged: { ...FAILING, state: 'acknowledged', acknowledgement: ACKNOWLEDGEMENT },
  verifying: {
    ...{ ...LASTING, state: 'verifying', verifyingSince: AT },
    ...{ acknowledgement: null, silence: null, fixChainId: null },
  },
  resolved: {
    ...{ ...LASTING, state: 'resolved', resolution: 'recovered' },
    ...{ resolvedAt: AT, verifyingSince: null, acknowledgement: null },
  },
};

/** An incident that has nothing but what its state needs, apart from changes. */
export function incidentIn<State extends Incident['state']>(
  state: State,
  changes: Partial<IncidentIn<State>> = {},
): IncidentIn<State> {
  return { ...BARE[state], services: [], ...changes } as unknown as IncidentIn<State>;
}

/** What can be said of an incident, whatever its state has. */
export type Facts = Partial<Record<keyof Incident | keyof ReturnType<typeof factsOf>, unknown>>;

/** An incident with null for what its state doesn't have. */
export function withFacts(incident: Incident) {
  return { ...incident, ...factsOf(incident) };
}

type Columns = ReturnType<typeof columnsOf>;

/** The row of an incident. */
export function rowOf(incident: Incident): Parameters<typeof toStored>[0] {
  const [id, organizationId, projectId] = [0, 1, 2].map(
    (n) => `0191a2b3-0000-7000-8000-00000000000${n}`,
  );
  const record = {
    ...{ id, projectId, number: 1, sequence: 1, dueAt: null, announcedAt: AT },
    ...{ needAnnouncedAt: null, heldNotices: [] },
  };
  const { unproven, alerts } = { ...factsOf(incident).needsHuman, ...incident };
  return {
    ...{ organizationId, earlierId: null, source: incident.source, openedAt: incident.openedAt },
    ...{ ...columnsOf({ ...record, ...incident } as StoredIncident), id, projectId, number: 1 },
    ...{ unproven: unproven ?? null, alerts: alerts ?? null },
    services: incident.services.map((each) => ({ ...each, organizationId, incidentId: id })),
  } as Parameters<typeof toStored>[0];
}

/** What belongs to states, by columns. */
const FACTS = {
  acknowledgement: { acknowledgedAt: AT, acknowledgedBy: 'Ana', acknowledgementEndsAt: AT },
  silence: { silencedBy: 'Ana', silencedUntil: AT },
  need: { needsHumanSince: AT, needsHumanChainId: CHAIN, unproven: [] },
  look: { lookDueAt: AT },
  human: { humanDueAt: AT },
  verification: { verifyingSince: AT },
  fix: { fixChainId: CHAIN },
} satisfies Record<string, Partial<Columns>>;

type Possible = 'never' | 'may' | 'must';
const POSSIBLE: Record<Incident['state'], Record<keyof typeof FACTS, Possible>> = {
  open: {
    ...{ acknowledgement: 'never', silence: 'may', need: 'may', look: 'may', human: 'may' },
    ...{ verification: 'never', fix: 'may' },
  },
  acknowledged: {
    ...{ acknowledgement: 'must', silence: 'may', need: 'may', look: 'never', human: 'may' },
    ...{ verification: 'never', fix: 'may' },
  },
  verifying: {
    ...{ acknowledgement: 'may', silence: 'may', need: 'never', look: 'never', human: 'never' },
    ...{ verification: 'must', fix: 'may' },
  },
  resolved: {
    ...{ acknowledgement: 'may', silence: 'never', need: 'never', look: 'never', human: 'never' },
    ...{ verification: 'may', fix: 'never' },
  },
};

/** What belongs to the end, and for which resolutions. */
const ENDS = {
  fixChainId: ['fixed'],
  resolvedBy: ['manual', 'merged'],
  mergedIntoId: ['merged'],
} as const satisfies Record<string, readonly Ending['resolution'][]>;

const emptied = (columns: object) =>
  Object.fromEntries(Object.keys(columns).map((column) => [column, null]));

/** Parts of facts, which can't be without the rest. */
const PARTS = [
  { acknowledgementEndsAt: AT },
  { silencedUntil: AT },
  { needsHumanChainId: CHAIN },
  { unproven: [] },
  { resolvedBy: 'Ana' },
];

interface Combination {
  title: string;
  columns: Partial<Record<keyof Columns, unknown>>;
  isPossible: boolean;
}

/**
 * Returns every state with and without each fact, and every resolution with and without what belongs to it, as
 * columns.
 *
 * @param otherId UUID of another incident
 */
export function combinations(otherId: string): Combination[] {
  const none = Object.assign({}, ...Object.values(FACTS).map(emptied), ...PARTS.map(emptied));
  const endOf = (resolution: Ending['resolution']) => {
    const all = { fixChainId: CHAIN, resolvedBy: 'Ana', mergedIntoId: otherId };
    const belongs = ([column]: [string, unknown]) =>
      ENDS[column as keyof typeof ENDS].some((each) => each === resolution);
    const own = Object.fromEntries(Object.entries(all).filter(belongs));
    return {
      all,
      own,
      columns: { ...none, state: 'resolved', resolvedAt: AT, resolution, ...own },
    };
  };
  const ofStates = INCIDENT_STATES.flatMap((state): Combination[] => {
    const possible = Object.entries(POSSIBLE[state]) as [keyof typeof FACTS, Possible][];
    const needed = possible.flatMap(([fact, how]) => (how === 'must' ? [FACTS[fact]] : []));
    const end = state === 'resolved' ? endOf('recovered').columns : { mergedIntoId: null };
    const bare = { ...none, state, ...end, ...Object.assign({}, ...needed) };
    const withParts = PARTS.map((part) => ({
      ...{ title: `${state} with only ${Object.keys(part)}`, isPossible: false },
      columns: { ...bare, ...part },
    }));
    const withFacts = possible.flatMap(([fact, how]) => [
      {
        ...{ title: `${state} with ${fact}`, isPossible: how !== 'never' },
        columns: { ...bare, ...FACTS[fact] },
      },
      {
        ...{ title: `${state} without ${fact}`, isPossible: how !== 'must' },
        columns: { ...bare, ...emptied(FACTS[fact]) },
      },
    ]);
    const isEnded = state === 'resolved';
    const ended = { title: `${state} without its end`, isPossible: !isEnded };
    const ends = { title: `${state} with an end`, isPossible: isEnded };
    return [
      ...withFacts,
      ...withParts.filter(
        ({ columns }) => !('acknowledgementEndsAt' in columns && columns.acknowledgedAt),
      ),
      { ...ended, columns: { ...bare, resolvedAt: null, resolution: null } },
      { ...ends, columns: { ...bare, resolvedAt: AT, resolution: 'recovered' } },
    ];
  });
  const ofEnds = INCIDENT_RESOLUTIONS.flatMap((resolution) => {
    const { all, own, columns } = endOf(resolution);
    return Object.entries(all).flatMap(([column, value]) => [
      {
        ...{ title: `${resolution} with ${column}`, isPossible: column in own },
        columns: { ...columns, [column]: value },
      },
      {
        ...{ title: `${resolution} without ${column}`, isPossible: !(column in own) },
        columns: { ...columns, [column]: null },
      },
    ]);
  });
  return [...ofStates, ...ofEnds];
}
