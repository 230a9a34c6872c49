import { AGENT_NAMES } from '@/lib/protocol/agent-names';
import type { HarnessName } from '@/lib/protocol/spec';

/** Not one of the names that the product was compiled with, which is what the test is about. */
export const PARROT = 'parrot' as HarnessName;

// The schemas read the list once, so this file has to run before them.
(AGENT_NAMES as unknown as string[]).push(PARROT);
