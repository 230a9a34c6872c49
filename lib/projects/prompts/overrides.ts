import { unknownPlaceholders } from './placeholders';
import { PROMPT_INPUTS } from './schema';

const OWN_PROMPTS = {
  1: ['tier-1-observe'],
  2: ['tier-2-investigate-and-fix', 'tier-2-from-handoff'],
  3: ['tier-3-remediate', 'tier-3-from-handoff'],
} as const;

/**
 * What is wrong with a project's own prompt for a tier, as a sentence; null when it can be used.
 * It may use the inputs that every prompt it stands in for has.
 */
export function ownPromptProblem(tier: 1 | 2 | 3, body: string): string | null {
  if (body.trim() === '') return 'The prompt is empty. Write one, or reset it to the default.';
  const known = ownPromptInputs(tier);
  const unknown = unknownPlaceholders(body, known);
  if (unknown.length === 0) return null;
  return `There is no input named ${unknown.join(', ')}. Use ${known.join(', ')}.`;
}

/** What a project's own prompt for a tier may use: the inputs of every prompt it stands in for. */
export function ownPromptInputs(tier: 1 | 2 | 3): string[] {
  const inputs = OWN_PROMPTS[tier].map((name) => Object.keys(PROMPT_INPUTS[name].shape));
  return (inputs[0] ?? []).filter((input) => inputs.every((list) => list.includes(input)));
}
