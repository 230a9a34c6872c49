import type { JsonCondition, JsonScalar } from '../check-kind';
import { degraded, healthy, type ProbeResult } from '../outcome';
import { parseJsonPath, selectJson } from './json-path';

/** Judges a response by what the check expects of its JSON. Every selected value must fit. */
export function judgeJson(expected: JsonCondition, body: string): ProbeResult {
  const path = parseJsonPath(expected.path);
  if (!path.ok) return degraded(path.problem);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return degraded('The response is not JSON.');
  }
  const values = selectJson(value, path.steps);
  if (expected.exists === false) {
    return values.length === 0
      ? healthy
      : degraded(`The response has a value at ${expected.path}.`);
  }
  if (values.length === 0) return degraded(`The response has no value at ${expected.path}.`);
  const problem = values.map((each) => problemOf(expected, each)).find((text) => text !== null);
  return problem ? degraded(`${expected.path} is ${problem}.`) : healthy;
}

/** Returns what a value is instead, such as `"failing", not "ok"`; null if it fits. */
function problemOf(expected: JsonCondition, value: unknown): string | null {
  const { equals, oneOf, atLeast, atMost } = expected;
  if (equals !== undefined && value !== equals) return `${shown(value)}, not ${shown(equals)}`;
  if (oneOf && !oneOf.includes(value as JsonScalar)) {
    return `${shown(value)}, not one of ${oneOf.map(shown).join(', ')}`;
  }
  const isNumber = typeof value === 'number';
  if (atLeast !== undefined && !(isNumber && value >= atLeast)) {
    return `${shown(value)}, not at least ${atLeast}`;
  }
  if (atMost !== undefined && !(isNumber && value <= atMost)) {
    return `${shown(value)}, not at most ${atMost}`;
  }
  return null;
}

const MAX_SHOWN = 100;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
