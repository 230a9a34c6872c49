// @ts-check
import { CHECK_TOOL, failures, parseChecks, unhealthy } from './memory.mjs';

/**
 * @typedef {import('./memory.mjs').Known} Known
 * @typedef {import('./memory.mjs').ServiceState} ServiceState
 * @typedef {{ service: string, action: 'restart' | 'other', command: string, outcome: string }} ActionTaken
 * @typedef {{ services: Map<string, ServiceState>, actions: ActionTaken[], refused: string[], notes: string[] }} Work
 */

/** What looks after the demo's services. */
const SUPERVISOR = 'democtl';

/**
 * Whether the project is about the demo's services: its rules or its instructions name their
 * supervisor. On anybody else's host the command doesn't exist.
 * @param {import('./agent.mjs').Agent} agent
 */
export function hasSupervisor({ parts: { flags, systemPrompt } }) {
  return [systemPrompt, ...flags.allowed].some((text) => text.includes(SUPERVISOR));
}

/**
 * Tier 1 looks, tier 2 restarts, tier 3 repairs and restarts. Everything is a tool call, so every
 * permission rule applies. Services of others are only checked.
 * @param {import('./agent.mjs').Agent} agent @param {number} tier @param {Known} known
 * @returns {Promise<Work>}
 */
export async function work(agent, tier, known) {
  /** @type {Work} */
  const done = { services: new Map(known.services), actions: [], refused: [], notes: [] };
  if (known.affected.length === 0)
    await check(agent, done, 'I run the health checks of all services.');
  else {
    for (const service of known.affected) {
      const cited = cite(known, service);
      await check(agent, done, `${cited} I check ${service} again before anything else.`, service);
    }
  }
  const affected = unhealthy(done.services);
  if (affected.length === 0 || !hasSupervisor(agent)) return done;
  if (tier !== 2) await lookCloser(agent, done, affected);
  if (tier === 1) return done;
  for (const service of affected) {
    if (tier === 3) {
      await act(agent, done, service, 'other', `${SUPERVISOR} repair-config ${service}`, [
        `A restart alone did not bring ${service} back, so I repair its configuration.`,
      ]);
    }
    await act(agent, done, service, 'restart', `${SUPERVISOR} restart ${service}`, [
      tier === 3
        ? `I restart ${service} with the repaired configuration.`
        : `I restart ${service}.`,
    ]);
    await check(agent, done, `I check whether ${service} is healthy now.`, service);
  }
  return done;
}

/** @param {import('./agent.mjs').Agent} agent @param {Work} done @param {string} text @param {string} [service] */
async function check(agent, done, text, service) {
  const answer = await agent.step(text, { tool: CHECK_TOOL, input: service ? { service } : {} });
  if (answer.isError) done.notes.push(firstLine(answer.text));
  else for (const [name, state] of parseChecks(answer.text)) done.services.set(name, state);
}

/** @param {import('./agent.mjs').Agent} agent @param {Work} done @param {string[]} affected */
async function lookCloser(agent, done, affected) {
  const text = `${affected.join(', ')}: not healthy. I ask the supervisor what it knows.`;
  const input = { command: `${SUPERVISOR} status`, description: 'Ask the supervisor' };
  const answer = await agent.step(text, { tool: 'Bash', input });
  if (answer.isDenied) return;
  const lines = answer.text
    .split('\n')
    .filter((line) => affected.some((name) => line.startsWith(`${name}: `)));
  done.notes.push(...lines);
}

/**
 * @param {import('./agent.mjs').Agent} agent @param {Work} done @param {string} service
 * @param {ActionTaken['action']} action @param {string} command @param {[string]} texts
 */
async function act(agent, done, service, action, command, [text]) {
  const answer = await agent.step(text, { tool: 'Bash', input: { command, description: text } });
  if (answer.isDenied) {
    done.refused.push(command);
    return;
  }
  const outcome = answer.text.replace(/^Exit code \d+\n/, '').trim();
  done.actions.push({ service, action, command, outcome });
}

/** What the earlier tier's own tool output said about a service. @param {Known} known @param {string} service */
function cite(known, service) {
  const evidence = failures(known.services.get(service)).at(0) ?? 'it was not healthy';
  const where =
    known.source === 'handoff'
      ? 'The escalation context says'
      : 'Earlier in this conversation the checks said';
  const last = known.actions.filter(({ command }) => command.includes(` ${service}`)).at(-1);
  const tried = last ? ` Then "${last.command}" answered: ${firstLine(last.outcome)}` : '';
  return `${where} about ${service}: "${evidence}".${tried}`;
}

/** @param {string} text */
export function firstLine(text) {
  return text.trim().split('\n')[0] ?? '';
}
