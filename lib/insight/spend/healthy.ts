/**
 * What healthy days cost, and how many chains checks without an agent made unnecessary. Pure.
 *
 * A chain is avoided where another schedule would have started one in an hour in which every result of
 * every check passed, and none was started. That schedule is the last one that the project had while its
 * checks ran in chains only; without one, a chain every ten minutes, which was the default then. Pauses
 * aren't subtracted: how long one held isn't kept.
 */
import { formatCost } from '@/lib/platform/format/cost';
import { formatCount, formatCounted } from '@/lib/platform/format/count';
import { nextRunAt } from '@/lib/projects/schedules/next-run';
import type { Schedule } from '@/lib/projects/schedules/schema';
import { scheduleWords } from '@/lib/projects/schedules/validate';
import type { CostBasis } from '../schedule-cost/estimate';

const HOUR_MS = 3_600_000;
const HOURS_OF_A_DAY = 24;

/** A check that runs less often needn't have a result in each hour. */
export const DUE_EVERY_SECONDS = 1_800;

/** The results of a project's checks in one hour. Counts are of checks that existed for the whole hour. */
export interface HourResults {
  /** Milliseconds since the epoch, when the hour begins. */
  hour: number;
  /** Those with a result that was degraded or down. */
  failing: number;
  /** Those with a result that was unknown. */
  unknown: number;
  /** Those with a result of any kind. */
  reported: number;
  /** Those of them that run at least every DUE_EVERY_SECONDS. */
  reportedDue: number;
}

export interface CheckSpan {
  createdAt: Date;
  removedAt: Date | null;
  everySeconds: number;
}

type HourState = 'healthy' | 'failing' | 'unknown' | 'off';

/**
 * Returns what an hour was: `off` if no check existed for the whole hour, `unknown` if a result is missing or
 * couldn't be had.
 */
export function stateOfHour(
  hour: number,
  results: HourResults | undefined,
  checks: readonly CheckSpan[],
): HourState {
  const own = checks.filter(
    ({ createdAt, removedAt }) =>
      createdAt.getTime() <= hour && (!removedAt || removedAt.getTime() >= hour + HOUR_MS),
  );
  if (own.length === 0) return 'off';
  if (!results || results.reported === 0) return 'unknown';
  if (results.failing > 0) return 'failing';
  const due = own.filter(({ everySeconds }) => everySeconds <= DUE_EVERY_SECONDS).length;
  return results.unknown > 0 || results.reportedDue < due ? 'unknown' : 'healthy';
}

export interface Reference {
  schedule: Schedule;
  /** Of the configuration that had it; null for what was the default. */
  version: number | null;
}

export const USUAL_SCHEDULE: Schedule = { kind: 'interval', everySeconds: 600, timeZone: 'UTC' };

export interface HealthyFacts {
  /** Whole hours of UTC are judged that lie in the span and are over. */
  from: Date;
  to: Date;
  checks: readonly CheckSpan[];
  results: readonly HourResults[];
  /** Started in an hour, by its beginning in milliseconds; without the skipped ones. */
  chains: ReadonlyMap<number, number>;
  /** Micro-dollars by UTC day, `2026-11-21`; a day without any is missing. */
  dayMicros: ReadonlyMap<string, number>;
  reference: Reference;
}

export interface HealthyFigures {
  /** Hours in which checks ran without an agent, or should have. */
  hours: number;
  reference: Reference;
  /** Null where it can't be known: nothing ran, or the schedule has too many slots to count. */
  avoided: number | null;
  /** Slots in hours whose results are missing or unknown. */
  unknownSlots: number;
  /** Whole UTC days with nothing but healthy hours; null for none. */
  days: { count: number; meanMicros: number } | null;
}

export function healthyFigures(facts: HealthyFacts): HealthyFigures {
  const { checks, chains, reference } = facts;
  const byHour = new Map(facts.results.map((results) => [results.hour, results]));
  const states = wholeHours(facts).map((hour) => {
    return { hour, state: stateOfHour(hour, byHour.get(hour), checks) };
  });
  const known = states.filter(({ state }) => state !== 'off');
  const first = known[0];
  const last = known.at(-1);
  const slots = first && last ? slotsByHour(reference.schedule, first.hour, last.hour) : null;
  const sum = (wanted: HourState, countOf: (hour: number) => number) =>
    known.reduce((total, { hour, state }) => total + (state === wanted ? countOf(hour) : 0), 0);
  return {
    hours: known.length,
    reference,
    avoided:
      slots &&
      sum('healthy', (hour) => Math.max(0, (slots.get(hour) ?? 0) - (chains.get(hour) ?? 0))),
    unknownSlots: slots ? sum('unknown', (hour) => slots.get(hour) ?? 0) : 0,
    days: healthyDays(states, facts.dayMicros),
  };
}

function wholeHours({ from, to }: Pick<HealthyFacts, 'from' | 'to'>): number[] {
  const begin = Math.ceil(from.getTime() / HOUR_MS);
  const end = Math.floor(to.getTime() / HOUR_MS);
  return Array.from({ length: Math.max(0, end - begin) }, (_, index) => (begin + index) * HOUR_MS);
}

/** Each slot of a cron line has to be computed. */
const MAX_SLOTS = 2_000;

/** Slots in each hour, by its beginning; null for too many. */
function slotsByHour(
  schedule: Schedule,
  firstHour: number,
  lastHour: number,
): ReadonlyMap<number, number> | null {
  const slots = new Map<number, number>();
  if (schedule.kind === 'manual') return slots;
  if (schedule.kind === 'interval') {
    const everyMs = schedule.everySeconds * 1_000;
    for (let hour = firstHour; hour <= lastHour; hour += HOUR_MS) {
      slots.set(hour, Math.ceil((hour + HOUR_MS) / everyMs) - Math.ceil(hour / everyMs));
    }
    return slots;
  }
  let count = 0;
  // The slot at the very beginning counts.
  let slot = nextRunAt(schedule, new Date(firstHour - 1));
  while (slot !== null && slot.getTime() < lastHour + HOUR_MS) {
    count += 1;
    if (count > MAX_SLOTS) return null;
    const hour = Math.floor(slot.getTime() / HOUR_MS) * HOUR_MS;
    slots.set(hour, (slots.get(hour) ?? 0) + 1);
    slot = nextRunAt(schedule, slot);
  }
  return slots;
}

function healthyDays(
  states: readonly { hour: number; state: HourState }[],
  dayMicros: ReadonlyMap<string, number>,
): HealthyFigures['days'] {
  const hours = new Map<string, number>();
  for (const { hour, state } of states) {
    if (state !== 'healthy') continue;
    const day = new Date(hour).toISOString().slice(0, 10);
    hours.set(day, (hours.get(day) ?? 0) + 1);
  }
  const days = [...hours].flatMap(([day, count]) => (count === HOURS_OF_A_DAY ? [day] : []));
  if (days.length === 0) return null;
  const micros = days.reduce((total, day) => total + (dayMicros.get(day) ?? 0), 0);
  return { count: days.length, meanMicros: Math.round(micros / days.length) };
}

/** Returns what the healthy days of the span cost. `spanWords`: `the last 30 days`. */
export function healthyDaySentence(
  { days }: Pick<HealthyFigures, 'days'>,
  spanWords: string,
): string {
  if (!days) {
    return `What a healthy day cost is unknown: in ${spanWords}, no whole UTC day had nothing but healthy results.`;
  }
  const mean = days.count === 1 ? '' : ' on average';
  return `In ${spanWords}, ${formatCounted(days.count, 'whole day')} had nothing but healthy results. A healthy day cost ${formatCost(days.meanMicros)}${mean}.`;
}

/** Returns how many chains were avoided, compared with what, and what they would have cost. */
export function avoidedSentence(
  { hours, avoided, unknownSlots, reference }: HealthyFigures,
  basis: CostBasis,
  spanWords: string,
): string {
  if (hours === 0) {
    return `Chains avoided: unknown. No check ran without an agent for a whole hour in ${spanWords}.`;
  }
  const words = lowered(scheduleWords(reference.schedule));
  const whose =
    reference.version === null
      ? `A chain ${words}, the default of projects whose checks ran in chains,`
      : `The schedule of v${reference.version}, ${words}, when checks ran in chains only,`;
  if (avoided === null) {
    return `Chains avoided: unknown. ${whose} has too many slots in ${spanWords} to count them.`;
  }
  const missing =
    unknownSlots === 0
      ? ''
      : ` For ${formatCounted(unknownSlots, 'more slot')} it’s unknown, because results are missing.`;
  return `Chains avoided: ${formatCount(avoided)}. ${whose} would have meant so many more in hours of ${spanWords} in which every check passed.${avoided === 0 ? '' : costOf(avoided, basis)}${missing}`;
}

function costOf(avoided: number, basis: CostBasis): string {
  switch (basis.kind) {
    case 'history':
      return ` At ${formatCost(Math.round(basis.medianMicros))} a chain, the median of ${formatCounted(basis.chains, 'chain')} of this ${basis.of}, that’s about ${formatCost(Math.round(avoided * basis.medianMicros))}.`;
    case 'assumed':
      return ` At list prices and an assumed ${formatCount(basis.tokens)} tokens a chain, that’s about ${formatCost(Math.round(avoided * basis.micros))}.`;
    case 'unknown_price':
      return ` What they would have cost is unknown: no price is known for ${basis.model}.`;
    case 'simulated':
      return ' The demo agent’s costs are simulated.';
  }
}

function lowered(words: string): string {
  return words.slice(0, 1).toLowerCase() + words.slice(1);
}

/** A project of an organization, with the cost of one of its chains. */
export interface ProjectHealth {
  slug: string;
  name: string;
  figures: HealthyFigures;
  basis: CostBasis;
}

/** The healthy days of all projects: a day of two projects counts twice. */
export function summedDays(health: readonly ProjectHealth[]): HealthyFigures['days'] {
  const days = health.flatMap(({ figures }) => figures.days ?? []);
  const count = days.reduce((sum, own) => sum + own.count, 0);
  if (count === 0) return null;
  const micros = days.reduce((sum, own) => sum + own.count * own.meanMicros, 0);
  return { count, meanMicros: Math.round(micros / count) };
}

/**
 * Returns how many chains were avoided in all projects, and what they would have cost.
 *
 * @param projects how many projects have such checks, with those that `health` leaves out
 */
export function avoidedInAllSentence(
  health: readonly ProjectHealth[],
  projects: number,
  spanWords: string,
): string {
  const watched = health.filter(({ figures }) => figures.hours > 0);
  if (watched.length === 0) {
    return `Chains avoided: unknown. No check ran without an agent for a whole hour in ${spanWords}.`;
  }
  const known = watched.filter(({ figures }) => figures.avoided !== null);
  const avoided = known.reduce((sum, { figures }) => sum + (figures.avoided ?? 0), 0);
  const unknownSlots = known.reduce((sum, { figures }) => sum + figures.unknownSlots, 0);
  const saving = known.filter(({ figures }) => figures.avoided !== 0);
  const priced = saving.flatMap(({ figures, basis }) => {
    const micros = microsOfChain(basis);
    return micros === null ? [] : [(figures.avoided ?? 0) * micros];
  });
  const cost = priced.reduce((sum, micros) => sum + micros, 0);
  const unpriced = saving.length - priced.length;
  const sentences = [
    `Chains avoided: ${known.length > 0 ? formatCount(avoided) : 'unknown'}.`,
    `Each project is compared with its own schedule when checks ran in chains only, or with the default of then, in hours of ${spanWords} in which every check passed.`,
    priced.length > 0
      ? `At what a chain of each project costs, that’s about ${formatCost(Math.round(cost))}.`
      : null,
    unpriced > 0
      ? `What they would have cost is unknown in ${formatCounted(unpriced, 'project')}.`
      : null,
    unknownSlots > 0
      ? `For ${formatCounted(unknownSlots, 'more slot')} it’s unknown, because results are missing.`
      : null,
    known.length < watched.length
      ? `${formatCounted(watched.length - known.length, 'project')} with too many slots ${watched.length - known.length === 1 ? 'isn’t' : 'aren’t'} counted.`
      : null,
    health.length < projects
      ? `Only the ${formatCount(health.length)} projects with the most checks of ${formatCount(projects)} are counted.`
      : null,
  ];
  return sentences.filter((sentence) => sentence !== null).join(' ');
}

/** Returns what one chain is expected to cost in micro-dollars; null if that's unknown or simulated. */
function microsOfChain(basis: CostBasis): number | null {
  switch (basis.kind) {
    case 'history':
      return basis.medianMicros;
    case 'assumed':
      return basis.micros;
    case 'unknown_price':
    case 'simulated':
      return null;
  }
}
