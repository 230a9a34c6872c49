// @ts-check
/** Turns what was seen and done into sentences. */
import { firstLine } from './plan.mjs';

/**
 * @typedef {import('./recollection.mjs').Checked} Checked
 * @typedef {import('./recollection.mjs').Ran} Ran
 * @typedef {import('./recollection.mjs').By} By
 */

/**
 * The story of one service: how it failed, what was done about it and why, and how that ended.
 * Empty where nothing about it was seen.
 * @param {string} service @param {import('./recollection.mjs').Recollection['events']} events
 * @returns {string[]}
 */
export function storyOf(service, events) {
  const own = events.filter((event) => isAbout(event, service));
  const trouble = own.find((event) => event.kind === 'check' && event.status !== 'healthy');
  const acts = own.filter((event) => event.kind === 'command');
  if (trouble?.kind !== 'check') {
    const last = own.findLast((event) => event.kind === 'check');
    const seen =
      last?.kind === 'check' && last.status === 'healthy'
        ? [`${service} was healthy ${whenChecked(last)}.`]
        : [];
    return [...seen, ...acts.map((act) => `${cap(actor(act.by))} ran \`${act.command}\`.`)];
  }
  const sentences = [
    `${service} was ${trouble.status} ${whenChecked(trouble)}${because(trouble.failures)}.`,
  ];
  const cause = causeOf(service, events);
  if (cause) sentences.push(`Its process had ${cause}.`);
  let tried = /** @type {Ran | null} */ (null);
  for (const act of acts) {
    sentences.push(reasonFor(act, tried, trouble));
    const result = resultOf(act, own);
    if (result) sentences.push(result);
    tried = act;
  }
  return sentences;
}

/** The commands that changed something, in the words of a change log. @param {readonly Ran[]} acts */
export function changesOf(acts) {
  if (acts.length === 0) return 'Nothing was changed: only checks ran in this conversation.';
  const done = acts.map(
    ({ by, command, at }, index) =>
      `${index === 0 ? cap(actor(by)) : actor(by)} ran \`${command}\`${at ? ` at ${clock(at)}` : ''}`,
  );
  const count =
    acts.length === 1 ? 'One thing was changed' : `${number(acts.length)} things were changed`;
  return `${count}: ${lowerFirst(listed(done))}. Everything else only looked.`;
}

/**
 * What checks say at this moment: trouble first, and one sentence for all that is well.
 * @param {Map<string, import('./memory.mjs').ServiceState>} services
 * @param {(state: import('./memory.mjs').ServiceState) => string[]} failuresOf
 */
export function standing(services, failuresOf) {
  const bad = [...services].filter(([, { status }]) => status !== 'healthy');
  const good = [...services].filter(([, { status }]) => status === 'healthy');
  const trouble = bad.map(
    ([name, state]) => `${name} is ${state.status} right now${because(failuresOf(state))}.`,
  );
  if (good.length === 0) return trouble.join(' ');
  const names = good.map(([name]) => name);
  const [[, only] = ['', { lines: [] }]] = good;
  const passed =
    good.length === 1
      ? `${names[0]} is healthy${bad.length > 0 ? '' : ' right now'}: ${checksPassed(only.lines.length)}.`
      : `${cap(listed(names))} are healthy${bad.length > 0 ? '' : ' right now'}: I just ran their checks, and all of them passed.`;
  return [...trouble, passed].join(' ');
}

/** Whether a command is about a service by naming it. @param {Checked | Ran} event @param {string} service */
function isAbout(event, service) {
  if (event.kind === 'check') return event.service === service;
  return !isLook(event) && event.command.split(/\s+/).includes(service);
}

/** A command that only reads. @param {Ran} act */
export function isLook({ command }) {
  return /\bstatus\b/.test(command);
}

/** What the supervisor said about the end of the process. @param {string} service @param {readonly (Checked | Ran)[]} events */
function causeOf(service, events) {
  for (const event of events) {
    if (event.kind !== 'command' || !isLook(event)) continue;
    const line = event.outcome.split('\n').find((text) => text.startsWith(`${service}: down, `));
    const cause = line?.slice(`${service}: down, `.length);
    if (cause?.startsWith('ended by ')) return `been ${cause}`;
    if (cause?.startsWith('ended with ')) return withoutStop(cause);
  }
  return null;
}

/** Why a command was the thing to do. @param {Ran} act @param {Ran | null} before @param {Checked} trouble */
function reasonFor(act, before, trouble) {
  const ran = `${actor(act.by)} ran \`${act.command}\`${act.at ? ` at ${clock(act.at)}` : ''}`;
  if (/\brepair-config\b/.test(act.command)) {
    return `A restart can’t fix a broken configuration, so ${ran}.`;
  }
  if (before && /\brepair-config\b/.test(before.command)) {
    return `It takes a restart to read the repaired configuration, so ${ran}.`;
  }
  if (!/\brestart\b/.test(act.command)) return `${cap(ran)}.`;
  if (before) return `${cap(ran)} once more.`;
  const isGone = trouble.failures.some((line) => line.startsWith('process '));
  return isGone
    ? `A restart is the safe remediation for a process that has ended, so ${ran}.`
    : `A restart is the least that can help, so ${ran}.`;
}

/** @param {Ran} act @param {readonly (Checked | Ran)[]} own */
function resultOf(act, own) {
  if (act.isError) return `That didn’t help: ${withoutStop(firstLine(act.outcome))}.`;
  const after = own.slice(own.indexOf(act) + 1);
  const next = after.findIndex((event) => event.kind === 'command');
  const check = (next < 0 ? after : after.slice(0, next)).find((event) => event.kind === 'check');
  if (check?.kind !== 'check') return null;
  if (check.status !== 'healthy') {
    return `That didn’t help: ${check.service} was still ${check.status}${because(check.failures)}.`;
  }
  const seconds = act.at && check.at ? (Date.parse(check.at) - Date.parse(act.at)) / 1_000 : null;
  const when =
    seconds === null
      ? 'after that'
      : seconds < 1
        ? 'within a second'
        : `${Math.round(seconds)} s later`;
  return `It passed its checks again ${when}.`;
}

/** @param {Checked} check */
function whenChecked({ at, by }) {
  return `when ${by === null ? 'I' : actor(by)} checked it${at ? ` at ${clock(at)}` : ''}`;
}

/** `: its HTTP check failed (connection refused) and its process was gone` @param {readonly string[]} lines */
export function because(lines) {
  return lines.length === 0 ? '' : `: ${listed(lines.map(failureWords))}`;
}

/** @type {Record<string, string>} */
const CHECK_WORDS = { http: 'HTTP', tcp: 'TCP', dns: 'DNS' };

/** `http http://x/health: down. Connection refused.` @param {string} line */
function failureWords(line) {
  const [, type = '', reason = ''] =
    /^(\S+)(?: .*)?: (?:healthy|degraded|down)(?: \(\d+ ms\))?(?:\. (.*))?$/.exec(line) ?? [];
  if (!type) return withoutStop(line);
  if (type === 'process') return 'its process was gone';
  const why = reason ? ` (${lowerFirst(withoutStop(reason))})` : '';
  return `its ${CHECK_WORDS[type] ?? type} check failed${why}`;
}

/** @param {number} count */
function checksPassed(count) {
  if (count === 0) return 'it has no checks that could fail';
  return count === 1
    ? 'I just ran its check, and it passed'
    : `I just ran its ${count} checks, and all of them passed`;
}

/** @param {By} by */
function actor(by) {
  return by === null ? 'the agent' : `tier ${by}`;
}

/** @param {string} at ISO 8601 */
function clock(at) {
  return `${at.slice(11, 19)} UTC`;
}

/** `a`, `a and b`, `a, b and c` @param {readonly string[]} parts */
export function listed(parts) {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** @param {number} count */
function number(count) {
  return ['Zero', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'][count] ?? String(count);
}

/** A service keeps its own spelling. @param {string} text */
function cap(text) {
  return /^(the agent|tier )/.test(text) ? text.slice(0, 1).toUpperCase() + text.slice(1) : text;
}

/** @param {string} text */
function lowerFirst(text) {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

/** @param {string} text */
function withoutStop(text) {
  return text.trim().replace(/\.$/, '');
}
