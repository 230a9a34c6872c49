/** What a run shows: figures that have to be zero, each with what is wrong, and figures to read. */
import { FIRST_USAGE_USD, IN_FLIGHT_USD } from './agent';
import type {
  AgentRun,
  AttemptRecord,
  ChainRecord,
  FaultRecord,
  Records,
  SessionRecord,
} from './records';

export interface Figure {
  what: string;
  /** One entry for each; the figure is zero if there is none. */
  wrong: string[];
}

export interface Verdict {
  isGood: boolean;
  figures: Figure[];
  /** Name and value, to be read. */
  facts: [string, string][];
}

/** An attempt together with where it belongs. */
interface Placed {
  chain: ChainRecord;
  session: SessionRecord;
  attempt: AttemptRecord;
  /** Null if its agent never ran. */
  agent: AgentRun | null;
  /** Numbers of its events, as they are stored. */
  ticks: number[];
}

/** Micro-dollars are the smallest unit of the ledger. */
const SAME_USD = 0.000_001;

/** Judges the records of a run. */
export function judge(records: Records): Verdict {
  const agents = new Map(records.agents.map((agent) => [agent.cliSessionId, agent]));
  const placed = records.chains.flatMap((chain) =>
    chain.sessions.flatMap((session) => placeAttempts(chain, session, agents)),
  );
  const figures = [
    { what: 'chains lost', wrong: lostChains(records) },
    { what: 'chains stuck', wrong: stuckChains(records) },
    { what: 'chains started twice by one request', wrong: doubledChains(records) },
    { what: 'remediations run twice', wrong: doubledRepairs(records, placed) },
    { what: 'events lost', wrong: placed.flatMap((each) => lostEvents(each, records.faults)) },
    { what: 'events doubled or out of order', wrong: disorder(records, placed) },
    { what: 'costs lost', wrong: placed.flatMap(lostCosts) },
    { what: 'costs doubled', wrong: doubledCosts(records, placed) },
    { what: 'webhooks lost', wrong: lostWebhooks(records) },
    { what: 'webhooks sent under two ids', wrong: doubledWebhooks(records) },
    { what: 'parts that did not come back', wrong: failedRecoveries(records) },
    { what: 'processes left behind', wrong: records.leftovers },
  ];
  const isGood = figures.every(({ wrong }) => wrong.length === 0);
  return { isGood, figures, facts: facts(records, placed) };
}

function placeAttempts(
  chain: ChainRecord,
  session: SessionRecord,
  agents: ReadonlyMap<string, AgentRun>,
): Placed[] {
  return session.attempts.map((attempt) => ({
    chain,
    session,
    attempt,
    agent: agents.get(attempt.cliSessionId ?? '') ?? null,
    ticks: session.events.flatMap(({ attemptId, tick }) =>
      attemptId === attempt.id && tick !== null ? [tick] : [],
    ),
  }));
}

const nameOf = ({ project, number, id }: ChainRecord) => `Chain #${number} of ${project} (${id})`;
const placeOf = ({ chain, session, attempt }: Placed) =>
  `${nameOf(chain)}, Session #${session.number}, attempt ${attempt.id} (${attempt.end ?? 'not ended'})`;

function lostChains({ posts, chains }: Records): string[] {
  const known = new Set(chains.map(({ id }) => id));
  return posts.flatMap(({ chainId, key }) =>
    chainId === null || known.has(chainId) ? [] : [`${chainId}, the answer to ${key}`],
  );
}

function stuckChains({ posts, chains }: Records): string[] {
  const unanswered = posts.flatMap(({ chainId, key }) =>
    chainId === null ? [`${key} was never answered`] : [],
  );
  const stuck = chains.filter(({ status }) => status !== 'ended');
  return [...stuck.map((chain) => `${nameOf(chain)} is ${chain.status}`), ...unanswered];
}

function doubledChains({ posts, chains }: Records): string[] {
  const answered = new Set(posts.map(({ chainId }) => chainId));
  // A request without an answer may have started one.
  if (posts.some(({ chainId }) => chainId === null)) return [];
  return chains.flatMap((chain) =>
    answered.has(chain.id) ? [] : [`${nameOf(chain)} is in no answer`],
  );
}

function doubledRepairs({ agents }: Records, placed: readonly Placed[]): string[] {
  const known = new Set(placed.flatMap(({ agent }) => agent ?? []));
  const strangers = agents
    .filter((agent) => agent.repairs.length > 0 && !known.has(agent))
    .map(
      ({ cliSessionId }) => `an agent that no attempt names (${cliSessionId}) repaired something`,
    );
  const byAction = groupBy(
    placed.flatMap((each) =>
      (each.agent?.repairs ?? []).map(({ action, at }) => ({ ...each, action, at })),
    ),
    ({ chain, action }) => `${nameOf(chain)}: ${action}`,
  );
  const doubled = [...byAction].flatMap(([name, repairs]) => {
    if (repairs.length < 2) return [];
    const times = repairs.map(
      ({ session, attempt, at }) =>
        `Session #${session.number}, attempt ${attempt.id} at ${new Date(at).toISOString()}`,
    );
    return [`${name} by ${times.join(' and ')}`];
  });
  return [...doubled, ...strangers];
}

/**
 * What an agent writes while its runner is killed may never be read. In every other case the runner
 * outlives the agent, and has read all of it.
 */
function lostEvents(each: Placed, faults: readonly FaultRecord[]): string[] {
  const { agent, ticks, attempt } = each;
  if (agent === null) return [];
  const isCut = attempt.end !== 'completed' && wasRunnerKilled(agent, attempt, faults);
  const last = ticks.length === 0 ? -1 : Math.max(...ticks);
  const stored = new Set(ticks);
  const expected = isCut ? last + 1 : agent.printed;
  const missing = Array.from({ length: expected }, (_, number) => number).filter(
    (number) => !stored.has(number),
  );
  if (missing.length === 0) return [];
  return [`${placeOf(each)}: ${missing.length} of ${agent.printed} missing, from ${missing[0]} on`];
}

function wasRunnerKilled(
  agent: AgentRun,
  { endedAt }: AttemptRecord,
  faults: readonly FaultRecord[],
): boolean {
  return faults.some(
    ({ target, at }) =>
      (target === 'runner' || target === 'supervisor') &&
      at >= agent.beganAt &&
      at <= (endedAt ?? Number.POSITIVE_INFINITY),
  );
}

function disorder({ chains }: Records, placed: readonly Placed[]): string[] {
  const sequences = chains.flatMap((chain) =>
    chain.sessions.flatMap(({ number, events }) => {
      const wrong = events.findIndex(({ seq }, index) => seq !== (events[0]?.seq ?? 0) + index);
      if (wrong === -1) return [];
      return [`${nameOf(chain)}, Session #${number}: sequence number ${events[wrong]?.seq}`];
    }),
  );
  const ticks = placed.flatMap((each) => {
    const wrong = each.ticks.findIndex((tick, index) => tick <= (each.ticks[index - 1] ?? -1));
    return wrong === -1 ? [] : [`${placeOf(each)}: tick ${each.ticks[wrong]} at place ${wrong}`];
  });
  return [...sequences, ...ticks];
}

const booked = ({ session, attempt }: Placed) =>
  session.ledger
    .filter(({ attemptId }) => attemptId === attempt.id)
    .reduce((sum, { costUsd }) => sum + costUsd, 0);

/** The least that has to be booked: what its agent reported, as far as that reached the runner. */
function lostCosts(each: Placed): string[] {
  const { agent, attempt, ticks } = each;
  if (agent === null) return [];
  const isReported = attempt.end === 'completed' && agent.costUsd !== null;
  // The first usage is written before the first event, so a stored event proves that it was read.
  const leastUsd = isReported ? (agent.costUsd ?? 0) : ticks.length > 0 ? FIRST_USAGE_USD : 0;
  if (booked(each) >= leastUsd - SAME_USD) return [];
  return [`${placeOf(each)}: $${booked(each)} booked of $${leastUsd}`];
}

function doubledCosts({ chains }: Records, placed: readonly Placed[]): string[] {
  const attempts = placed.flatMap((each) => {
    const { agent, attempt } = each;
    const spentUsd = agent?.costUsd ?? FIRST_USAGE_USD;
    const isExact = attempt.end === 'completed' && agent !== null && agent.costUsd !== null;
    const limitUsd = isExact ? spentUsd : Math.max(spentUsd, FIRST_USAGE_USD) + IN_FLIGHT_USD;
    if (booked(each) <= limitUsd + SAME_USD) return [];
    return [`${placeOf(each)}: $${booked(each)} booked, $${limitUsd} spent`];
  });
  const sums = chains.flatMap((chain) => {
    const ledgerUsd = chain.sessions
      .flatMap(({ ledger }) => ledger)
      .reduce((sum, { costUsd }) => sum + costUsd, 0);
    if (Math.abs(ledgerUsd - chain.costUsd) <= SAME_USD) return [];
    return [`${nameOf(chain)} shows $${chain.costUsd}, its ledger $${ledgerUsd}`];
  });
  return [...attempts, ...sums];
}

/** `chain.completed chn_…`: what has to be sent, once each. */
function expectedWebhooks(chains: readonly ChainRecord[]): string[] {
  return chains.flatMap(({ id, status, outcome, sessions }) => [
    ...(sessions.some(({ hasStarted }) => hasStarted) ? [`chain.started ${id}`] : []),
    ...sessions
      .filter(({ hasStarted, hasEnded }) => hasStarted && hasEnded)
      .map((session) => `session.completed ${session.id}`),
    ...(status === 'ended' && outcome !== 'skipped' ? [`chain.completed ${id}`] : []),
  ]);
}

/** Events that should have been received, such as `chain.completed chn_…`. */
export function lostWebhooks({ chains, webhooks }: Records): string[] {
  const received = new Set(webhooks.map(({ type, about }) => `${type} ${about}`));
  return expectedWebhooks(chains).filter((name) => !received.has(name));
}

function doubledWebhooks({ webhooks }: Records): string[] {
  const byEvent = groupBy(webhooks, ({ type, about }) => `${type} ${about}`);
  return [...byEvent].flatMap(([name, received]) => {
    const ids = new Set(received.map(({ id }) => id));
    return ids.size > 1 ? [`${name}: ${[...ids].join(', ')}`] : [];
  });
}

function failedRecoveries({ faults }: Records): string[] {
  return faults.flatMap(({ number, target, problem }) =>
    problem === null ? [] : [`fault ${number}, ${target}: ${problem}`],
  );
}

function facts(records: Records, placed: readonly Placed[]): [string, string][] {
  const { planned, faults, chains, webhooks } = records;
  const isCutShort = faults.length < planned;
  const ran = placed.filter(({ agent }) => agent !== null);
  const rows = chains.flatMap(({ sessions }) => sessions.flatMap(({ ledger }) => ledger));
  const printed = ran.reduce((sum, { agent }) => sum + (agent?.printed ?? 0), 0);
  const stored = ran.reduce((sum, { ticks }) => sum + ticks.length, 0);
  const ids = new Set(webhooks.map(({ id }) => id));
  return [
    ['faults', `${faults.length}${isCutShort ? ` of ${planned}, the time was up` : ''}`],
    ...[...groupBy(faults, ({ target }) => target)].map(([target, each]): [string, string] => [
      `  ${target}`,
      recoveryText(each),
    ]),
    ['chains', `${chains.length}: ${tally(chains.map(({ outcome }) => outcome ?? 'no outcome'))}`],
    ['attempts', `${placed.length}: ${tally(placed.map(({ attempt }) => attempt.end ?? 'none'))}`],
    ['remediations', String(ran.reduce((sum, { agent }) => sum + (agent?.repairs.length ?? 0), 0))],
    ['events', `${stored} stored of ${printed}; the rest ended with a killed runner`],
    ['ledger rows', `${rows.length}, ${rows.filter((row) => row.isEstimate).length} estimated`],
    ['webhooks', `${webhooks.length}, ${webhooks.length - ids.size} repeated under the same id`],
  ];
}

function recoveryText(faults: readonly FaultRecord[]): string {
  const times = faults.flatMap(({ recoveredMs }) => recoveredMs ?? []);
  const worst =
    times.length > 0 ? `, back within ${(Math.max(...times) / 1_000).toFixed(1)} s` : '';
  return `${faults.length}${worst}`;
}

function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}

/** `12 healthy, 3 lost`, the most frequent first. */
function tally(values: readonly string[]): string {
  return [...groupBy(values, (value) => value)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([value, each]) => `${each.length} ${value}`)
    .join(', ');
}
