// @ts-check
import { QUESTION_TOOL } from './agent.mjs';
import { CHECK_TOOL, failures, parseChecks } from './memory.mjs';
import { changesOf, isLook, listed, standing, storyOf } from './sentences.mjs';

const LABEL =
  '_This is the demo agent: no model wrote this. A script put it together from recorded checks and commands._';
const IS_UNDECIDED = /\b(which service|ask me)\b/i;
/** As many choices as the CLI takes. */
const MAX_CHOICES = 4;

/**
 * What a message asks, by its words; the first that fits counts.
 * @typedef {'cost' | 'rights' | 'watched' | 'next' | 'unmeasured' | 'other_chain' | 'why' | 'changes' | 'now' | 'seen' | 'unknown'} Topic
 * @type {readonly (readonly [Topic, RegExp])[]}
 */
const TOPICS = [
  ['cost', /\b(costs?|spen[dt]|money|budget|bill|dollars?|tokens?)\b|\$\d/i],
  ['rights', /\b(allowed|permitted|may you|can you (do|run|restart)|permissions?|rules)\b/i],
  ['watched', /\bwhat\b.*\b(check|watch|watched|monitor|monitored)\b/i],
  ['next', /\b(would you do|do next|next step|should (i|we)|recommend|suggest|advise)\b/i],
  ['unmeasured', /\b(disk|memory|ram|cpu|load|logs?|traffic|latency|certificates?|backups?)\b/i],
  ['why', /\b(why|reason|cause|how come)\b/i],
  ['changes', /\b(chang\w*|did you (do|run|fix)|was done|restarted|repaired|fixed)\b/i],
  ['now', /\b(still|check|now|again|healthy|how do things stand|how is|how are|status|up|down)\b/i],
  ['other_chain', /\bchains? (?:#\d+|ran)\b|\bcycle ran\b/i],
  ['seen', /\b(see|saw|seen|find|found|know|happened|so far)\b/i],
];

/** @param {string} text @returns {Topic} */
export function topicOf(text) {
  return TOPICS.find(([, words]) => words.test(text))?.[0] ?? 'unknown';
}

/**
 * @typedef {{
 *   agent: import('./agent.mjs').Agent, text: string, held: import('./recollection.mjs').Recollection,
 *   systemPrompt: string, named: string[], services: string[],
 * }} Asked
 */

/**
 * Answers one message: from what the conversation holds, by real checks where it asks how things
 * stand, and after a question where it leaves open what it is about.
 * @param {import('./agent.mjs').Agent} agent @param {import('./input.mjs').Message} message
 * @param {import('./recollection.mjs').Recollection} held @param {string} systemPrompt
 * @returns {Promise<string>}
 */
export async function answer(agent, message, held, systemPrompt) {
  const { text } = message;
  const services = [...new Set([...held.services, ...watched(systemPrompt).keys()])];
  const named = services.filter((name) => names(text, name));
  const parts = [];
  if (IS_UNDECIDED.test(text) && named.length === 0) {
    const { sentence, service } = await choose(agent, services, held.chosen);
    parts.push(sentence);
    if (service) named.push(service);
  }
  const asked = { agent, text, held, systemPrompt, named, services };
  parts.push(await ANSWERS[topicOf(text)](asked));
  return [...parts, LABEL].join('\n\n');
}

/** @type {Record<Topic, (asked: Asked) => string | Promise<string>>} */
const ANSWERS = {
  cost: costs,
  rights: ({ systemPrompt }) => rights(systemPrompt),
  watched: ({ systemPrompt }) => coverage(systemPrompt),
  next: nextStep,
  unmeasured: async (asked) =>
    `I can’t tell: no check of this project measures that, and a scripted agent looks nowhere else. What the checks do cover: ${await look(asked)}`,
  why: (asked) => reasons(asked) ?? unknownHere(asked),
  changes,
  now: standsNow,
  other_chain: async (asked) => reasons(asked) ?? `${noChains()} ${await look(asked)}`,
  seen: (asked) => account(asked) ?? nothingSeen(),
  unknown: (asked) => {
    const known = account(asked);
    return `I can’t answer that: I’m a script without a model.${known ? ` What I do know: ${known}` : ''} ${OFFER}`;
  },
};

const OFFER =
  'I can say why something was restarted, what was changed, what it cost, how the services are now, and what I’d do next.';

/** What was chosen once is not asked again. @param {import('./agent.mjs').Agent} agent @param {string[]} services @param {string | null} chosen */
async function choose(agent, services, chosen) {
  if (chosen) return { sentence: `You chose ${chosen} before.`, service: chosen };
  const choices = services.slice(0, MAX_CHOICES);
  if (choices.length < 2) return { sentence: 'I know no services to choose from.', service: null };
  const question = 'Which service do you mean?';
  const options = choices.map((label) => ({ label, description: `The service ${label}` }));
  const questions = [{ question, header: 'Service', multiSelect: false, options }];
  const replied = await agent.step('', { tool: QUESTION_TOOL, input: { questions } });
  const service = /"="([^"]*)"/.exec(replied.text)?.[1] ?? null;
  if (!replied.isError && service) return { sentence: `You chose ${service}.`, service };
  return { sentence: `I would have asked: ${question} (${choices.join(', ')})`, service: null };
}

/** Runs the checks. @param {Asked} asked */
async function look({ agent, named }) {
  const texts = [];
  const services = new Map();
  for (const service of named.length > 0 ? named : [null]) {
    const input = service ? { service } : {};
    const said = await agent.step(`I check ${service ?? 'all services'}.`, {
      tool: CHECK_TOOL,
      input,
    });
    if (said.isError) texts.push(`I couldn’t run the check: ${said.text.trim().split('\n')[0]}`);
    for (const [name, state] of parseChecks(said.text)) services.set(name, state);
  }
  if (services.size > 0) texts.push(standing(services, failures));
  return texts.join(' ') || 'No check answered, so I don’t know how things stand.';
}

/** @param {Asked} asked */
async function standsNow(asked) {
  const now = await look(asked);
  if (!/\bsince\b/i.test(asked.text)) return now;
  const before = account(asked);
  return `${now} ${before ?? 'I can’t say since when: this was the first check in this conversation.'}`;
}

/** Everything the conversation holds about the services in the question. @param {Asked} asked */
function account({ held, named }) {
  const about = named.length > 0 ? named : held.services;
  const stories = about.map((name) => storyOf(name, held.events));
  const eventful = stories.filter((story) => story.length > 1);
  const calm = about.filter((_, index) => stories[index]?.length === 1);
  if (eventful.length === 0 && named.length === 0 && calm.length > 1) {
    return `${listed(calm)} were healthy each time they were checked, so nothing had to be done.`;
  }
  const quiet =
    eventful.length > 0 && calm.length > 0
      ? [`${listed(calm)} had no problems worth acting on.`]
      : stories.filter((story) => story.length === 1).flat();
  const sentence = [...eventful.map((story) => story.join(' ')), ...quiet];
  if (sentence.length === 0)
    return held.chain ? `${held.chain.label} ended like this: ${held.chain.outcome}` : null;
  return sentence.join('\n\n');
}

/** The story behind a "why"; null where this conversation doesn't hold it. @param {Asked} asked */
function reasons(asked) {
  const { held, named, text } = asked;
  const sentence = isElsewhere(asked) ? null : account(asked);
  if (sentence === null) return null;
  const acts = held.events.filter((event) => event.kind === 'command');
  const untouched = named.filter(
    (name) => !acts.some((act) => !isLook(act) && act.command.split(/\s+/).includes(name)),
  );
  if (/\brestart/i.test(text) && untouched.length > 0) {
    return `I didn’t restart ${listed(untouched)}: no such command is in this conversation. ${sentence}`;
  }
  if (!/\bhuman\b/i.test(text)) return sentence;
  const end = held.chain ? `${held.chain.label} ended like this: ${held.chain.outcome}` : null;
  return [sentence, onlyObserved(held), end].filter((part) => part !== null).join(' ');
}

/** Why nobody repaired it, where no tier had the right to. @param {import('./recollection.mjs').Recollection} held */
function onlyObserved({ events }) {
  const isTrouble = events.some((event) => event.kind === 'check' && event.status !== 'healthy');
  const hasActed = events.some((event) => event.kind === 'command' && !isLook(event));
  const hasHigher = events.some(({ by }) => by === 2 || by === 3);
  if (!isTrouble || hasActed || hasHigher) return null;
  return 'Nobody has repaired it: only tier 1 ran, and tier 1 only observes.';
}

/** A chain by number, in a conversation that saw none. @param {Asked} asked */
function isElsewhere({ held, text }) {
  const isSeen = held.chain !== null || held.events.some(({ by }) => by !== null);
  return /\bchain #\d+/i.test(text) && !isSeen;
}

/** @param {Asked} asked */
async function changes(asked) {
  const { held, named, text } = asked;
  if (held.events.length === 0 || isElsewhere(asked)) return unknownHere(asked);
  const acts = held.events
    .filter((event) => event.kind === 'command')
    .filter((act) => !isLook(act))
    .filter(({ command }) => named.length === 0 || named.some((name) => names(command, name)));
  const sentence = changesOf(acts);
  if (!/\b(last|hold|held|still)\b/i.test(text)) return sentence;
  return `${sentence} ${await look(asked)}`;
}

/** @param {Asked} asked */
async function nextStep(asked) {
  const now = await look(asked);
  const acted = asked.held.events.filter((event) => event.kind === 'command' && !isLook(event));
  if (/ is (down|degraded) right now/.test(now)) {
    return `I’d run a chain now. ${now} I can only look here: a tier of a chain repairs it, or a person does.`;
  }
  if (acted.length > 0) {
    return `Nothing urgent. ${now} I’d find out what ended the process before it happens again: a restart removes the symptom, and the checks can’t see the cause.`;
  }
  return `Nothing. ${now} The next chain looks again on schedule.`;
}

/** From the usage stored with each request of this conversation. @param {Asked} asked */
function costs({ held }) {
  const where = 'The ledger on the chain page and Spend have the full figures, by tier and model.';
  if (held.costs.size === 0) {
    return `I can’t see what was spent: this conversation holds no usage. ${where} With the demo agent all costs are simulated, and nobody is billed.`;
  }
  const byModel = [...held.costs].map(([model, usd]) => `${dollars(usd)} for ${model}`);
  const total = [...held.costs.values()].reduce((sum, usd) => sum + usd, 0);
  const split = byModel.length > 1 ? ` (${listed(byModel)})` : '';
  return `About ${dollars(total)} so far${split}, counted over this conversation. It’s simulated: the token counts come from text lengths, the prices from a table, and nobody is billed. ${where}`;
}

/** @param {string} systemPrompt */
function rights(systemPrompt) {
  const allowed = /^Allowed: (.*)$/m.exec(systemPrompt)?.[1] ?? '';
  const commands = [...allowed.matchAll(/Bash\((.+?)(?::\*)?\)/g)].map(([, rule]) => `\`${rule}\``);
  const may = commands.length > 0 ? `run checks and ${listed(commands.slice(0, 3))}` : 'run checks';
  return `Here I only look: I may ${may}${commands.length > 3 ? ` and ${commands.length - 3} more read-only commands` : ''}. I don’t see the rules of the other tiers; Settings › Tiers lists what each of them may do.`;
}

/** @param {string} systemPrompt */
function coverage(systemPrompt) {
  const services = [...watched(systemPrompt)];
  if (services.length === 0) return 'No services are configured, so nothing is checked yet.';
  const each = services.map(([name, types]) =>
    types.length > 0 ? `${name} by ${listed(types)}` : `${name}, which has no checks`,
  );
  return `Each chain checks ${listed(each)}. Tier 1 runs all of them, and a higher tier starts only when one fails.`;
}

/** @param {Asked} asked */
function unknownHere({ text }) {
  if (/\bchain #\d+/i.test(text)) return `${noChains()} ${OFFER}`;
  return nothingSeen();
}

function noChains() {
  return 'I can’t see past chains from here: open the chain and ask there, and I continue from what it saw.';
}

function nothingSeen() {
  return 'I haven’t looked at anything in this conversation yet, so I can’t say. Ask how a service is doing and I’ll run its checks, or ask on the page of a chain and I’ll continue from what it saw.';
}

/** Services as the instructions list them, with the types of their checks. @param {string} systemPrompt */
function watched(systemPrompt) {
  const section = systemPrompt.split('\n## Services\n')[1]?.split('\n## ')[0] ?? '';
  /** @type {Map<string, string[]>} */
  const services = new Map();
  for (const [, name = '', checks = ''] of section.matchAll(
    /^- \**`?([A-Za-z0-9][A-Za-z0-9._-]*)[^:\n]*:? ?(.*)$/gm,
  )) {
    const types = checks
      .split('; ')
      .map((check) => check.split(' ')[0] ?? '')
      .filter((type) => type !== '' && type !== 'no');
    services.set(
      name,
      [...new Set(types)].map((type) => WORDS[type] ?? type),
    );
  }
  return services;
}

/** @type {Record<string, string>} */
const WORDS = { http: 'HTTP', tcp: 'TCP', dns: 'DNS', process: 'its process' };

/** @param {number} usd */
function dollars(usd) {
  if (usd === 0) return '$0';
  return usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

/** @param {string} text @param {string} name */
function names(text, name) {
  return text.split(/[^A-Za-z0-9._-]+/).some((word) => word.replace(/[.]+$/, '') === name);
}
