// @ts-check
import { QUESTION_TOOL } from './agent.mjs';
import { CHECK_TOOL, failures, parseChecks } from './memory.mjs';

const LABEL =
  '_This is the demo agent: no model wrote this. It repeats what stands in the conversation and what checks say._';
const WANTS_LOOK = /\b(still|check|now|again|healthy)\b/i;
const IS_UNDECIDED = /\b(which service|ask me)\b/i;
/** As many choices as the CLI takes. */
const MAX_CHOICES = 4;
const MAX_LINES = 12;

/**
 * Answers one message: from what the conversation holds, by real checks where it asks how things
 * stand, and after a question where it leaves open what it is about.
 * @param {import('./agent.mjs').Agent} agent @param {import('./input.mjs').Message} message
 * @param {import('./recollection.mjs').Recollection} held @param {string} systemPrompt
 * @returns {Promise<string>}
 */
export async function answer(agent, message, held, systemPrompt) {
  const services = [...new Set([...held.services, ...listed(systemPrompt)])];
  const named = services.filter((name) => names(message.text, name));
  const parts = [];
  if (IS_UNDECIDED.test(message.text) && named.length === 0) {
    const { text, service } = await choose(agent, services, held.chosen);
    parts.push(text);
    if (service) named.push(service);
  }
  if (WANTS_LOOK.test(message.text)) parts.push(await look(agent, named));
  else parts.push(remember(held, named));
  return [...parts, LABEL].join('\n\n');
}

/** What was chosen once is not asked again. @param {import('./agent.mjs').Agent} agent @param {string[]} services @param {string | null} chosen */
async function choose(agent, services, chosen) {
  if (chosen) return { text: `You chose ${chosen} before.`, service: chosen };
  const choices = services.slice(0, MAX_CHOICES);
  if (choices.length < 2) return { text: 'I know no services to choose from.', service: null };
  const question = 'Which service do you mean?';
  const options = choices.map((label) => ({ label, description: `The service ${label}` }));
  const questions = [{ question, header: 'Service', multiSelect: false, options }];
  const told = await agent.step('', { tool: QUESTION_TOOL, input: { questions } });
  const service = /"="([^"]*)"/.exec(told.text)?.[1] ?? null;
  if (!told.isError && service) return { text: `You chose ${service}.`, service };
  const text = `I would have asked: ${question} (${choices.join(', ')})`;
  return { text, service: null };
}

/** @param {import('./agent.mjs').Agent} agent @param {string[]} named */
async function look(agent, named) {
  const texts = [];
  for (const service of named.length > 0 ? named : [null]) {
    const input = service ? { service } : {};
    const said = await agent.step(`I check ${service ?? 'all services'}.`, {
      tool: CHECK_TOOL,
      input,
    });
    if (said.isError) texts.push(`The check could not be run: ${said.text.trim().split('\n')[0]}`);
    for (const [name, state] of parseChecks(said.text)) {
      texts.push(`- ${name} is ${[state.status, ...failures(state)].join(': ')}`);
    }
  }
  return ['The checks say now:', ...texts].join('\n');
}

/** @param {import('./recollection.mjs').Recollection} held @param {string[]} named */
function remember({ lines }, named) {
  const about = lines.filter((line) => named.some((name) => names(line, name)));
  const told = about.length > 0 ? about : lines;
  if (told.length === 0) {
    return 'Nothing was looked at in this conversation yet. Ask me to check a service, and I run its checks.';
  }
  const left = told.length - MAX_LINES;
  return [
    'This conversation holds, oldest first:',
    ...told.slice(-MAX_LINES).map((line) => `- ${line}`),
    ...(left > 0 ? [`(${left} earlier lines are left out.)`] : []),
  ].join('\n');
}

/** Services as the instructions list them. @param {string} systemPrompt */
function listed(systemPrompt) {
  const section = systemPrompt.split('\n## Services\n')[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^- \**`?([A-Za-z0-9][A-Za-z0-9._-]*)/gm)].map(
    ([, name = '']) => name,
  );
}

/** @param {string} text @param {string} name */
function names(text, name) {
  return text.split(/[^A-Za-z0-9._-]+/).some((word) => word.replace(/[.]+$/, '') === name);
}
