/** What the pictures show: chains without a fault, one that tier 2 repairs, one that needs tier 3. */
import { setTimeout as delay } from 'node:timers/promises';

const CHAIN_MS = 120_000;
const POLL_MS = 250;

/** Sets the highest tier that may act. */
export function allowTiers({ api }, maxTier) {
  return api('PATCH', 'projects/checkout', { maxTier });
}

/** Keeps schedule and checks from adding chains of their own, and cooldowns from ending one. */
export async function prepare({ api }) {
  await untilIdle(api);
  await api('PATCH', 'projects/checkout', {
    schedule: { kind: 'manual', timeZone: 'UTC' },
    monitoring: { everySeconds: null },
    cooldowns: [{ action: 'restart', limit: 20, windowSeconds: 14_400 }],
  });
  await untilIdle(api);
}

/** Starts a chain and returns it once it has ended. */
export async function runChain({ api }) {
  const { id } = await api('POST', 'projects/checkout/chains', {});
  return untilEnded(api, `chains/${id}`, ({ status }) => status === 'ended');
}

/** Asks about a chain, and returns the conversation once it is answered. */
export async function ask({ api }, chain, message) {
  const conversation = await api('POST', 'conversations', { chain: chain.id, message });
  const turns = `conversations/${conversation.id}/turns`;
  await untilEnded(api, turns, ({ data }) => data.every(({ endedAt }) => endedAt !== null));
  return conversation;
}

async function untilIdle(api) {
  const chains = 'projects/checkout/chains?limit=5';
  await untilEnded(api, chains, ({ data }) => data.every(({ status }) => status === 'ended'));
}

async function untilEnded(api, resource, hasEnded) {
  const deadline = Date.now() + CHAIN_MS;
  for (;;) {
    const answer = await api('GET', resource);
    if (hasEnded(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`${resource} did not end in time.`);
    await delay(POLL_MS);
  }
}
