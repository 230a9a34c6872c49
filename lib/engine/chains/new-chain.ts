import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { GateCode } from '../start-policy/gate';
import type { ChainTrigger } from '../statuses';

/** A new chain: its row, its first session and its first attempt. */
export interface NewChain {
  chainId: string;
  sessionId: string;
  attemptId: string;
  organizationId: string;
  projectId: string;
  /** ISO 8601 in UTC; null for a manual start. */
  slotAt: string | null;
  trigger: ChainTrigger;
  requestedBy: string | null;
  /** E-mail of the person behind the start; null: nobody. */
  requestedPerson: string | null;
  projectVersion: number;
  startTier: number;
  isDryRun: boolean;
  isForceFresh: boolean;
  prompt: string | null;
  model: string;
  poolId: string;
  /** The gate that was closed, with its text: the chain is then created as ended. */
  skipped: { code: GateCode; text: string } | null;
}

/** What a chain has unless its trigger says otherwise: a plain first start. */
const DEFAULTS = {
  slotAt: null,
  requestedBy: null,
  requestedPerson: null,
  startTier: 1,
  isDryRun: false,
  isForceFresh: false,
  prompt: null,
  skipped: null,
} as const satisfies Partial<NewChain>;

type Made = 'chainId' | 'sessionId' | 'attemptId';
type Optional = keyof typeof DEFAULTS;

/** Returns a new chain with its ids; what its trigger doesn't say has its default. */
export function newChain(
  base: Omit<NewChain, Made | Optional> & Partial<Pick<NewChain, Optional>>,
): NewChain {
  return { ...DEFAULTS, chainId: newId(), sessionId: newId(), attemptId: newId(), ...base };
}

const RANDOM_BYTES = 16;
let random = Buffer.alloc(0);

/** Returns a UUID, version 7. Thousands of chains can start at once, and asking for randomness takes long. */
function newId(): string {
  if (random.length < RANDOM_BYTES) random = randomBytes(512 * RANDOM_BYTES);
  const own = random.subarray(0, RANDOM_BYTES);
  random = random.subarray(RANDOM_BYTES);
  return uuidv7({ random: own });
}

export interface CreatedChain {
  id: string;
  number: number;
  projectId: string;
  organizationId: string;
}
