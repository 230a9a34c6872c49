/** What is killed, in which order and when: the same for the same seed. */

export type Target =
  | 'web'
  | 'worker'
  | 'runner'
  | 'agent'
  | 'postgresql'
  | 'redis'
  | 'supervisor'
  | 'freeze'
  | 'partition';

export interface PlannedFault {
  /** From 1 on. */
  number: number;
  target: Target;
  /** After the fault before it, or after the recovery from it. */
  delayMs: number;
  /** From 0 to 1: which one it is, of several. */
  pick: number;
  /** False: the next fault comes while this one is being recovered from. */
  waitsForRecovery: boolean;
  /** How long a freeze or a partition lasts. */
  holdMs: number;
}

export interface Plan {
  faults: PlannedFault[];
  /** The number of the fault before which the queues move to Redis; null: they stay on PostgreSQL. */
  redisFrom: number | null;
}

/** How often each is killed, compared with the others. Starting again takes longest for a supervisor. */
const WEIGHTS: Record<Target, number> = {
  web: 3,
  worker: 4,
  runner: 6,
  agent: 5,
  postgresql: 3,
  redis: 2,
  supervisor: 2,
  freeze: 1,
  partition: 1,
};

const SHARE_WITH_RECOVERY = 0.7;

/**
 * Plans the faults. Each target comes at least once if there are as many faults as targets. Redis
 * is only killed in the second half, which runs on it.
 */
export function planFaults(options: {
  kills: number;
  seed: number;
  targets: readonly Target[];
}): Plan {
  const { kills, seed, targets } = options;
  const random = randomNumbers(seed);
  const killsRedis = targets.includes('redis');
  const others = targets.filter((target) => target !== 'redis');
  const counts = share(kills, targets);
  const order = shuffled(
    others.flatMap((target) => Array<Target>(counts.get(target) ?? 0).fill(target)),
    random,
  );
  const redisFrom = killsRedis ? Math.floor(order.length / 2) : null;
  for (let left = counts.get('redis') ?? 0; left > 0; left -= 1) {
    const first = redisFrom ?? 0;
    order.splice(first + Math.floor(random() * (order.length - first + 1)), 0, 'redis');
  }
  const faults = order.map((target, index) => ({
    number: index + 1,
    target,
    delayMs: Math.round(200 + random() * 4_800),
    pick: random(),
    waitsForRecovery: random() < SHARE_WITH_RECOVERY,
    holdMs: Math.round(5_000 + random() * 85_000),
  }));
  return { faults, redisFrom: redisFrom === null ? null : redisFrom + 1 };
}

/** Divides by weight: each gets one first, as far as that goes, and the sum is exact. */
function share(kills: number, targets: readonly Target[]): Map<Target, number> {
  const counts = new Map<Target, number>(targets.map((target) => [target, 0]));
  const due = (target: Target) => (counts.get(target) ?? 0) / WEIGHTS[target];
  for (let given = 0; given < kills; given += 1) {
    const next = targets.reduce((one, other) => (due(other) < due(one) ? other : one));
    counts.set(next, (counts.get(next) ?? 0) + 1);
  }
  return counts;
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ value }) => value);
}

/** Mulberry32: numbers from 0 up to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
