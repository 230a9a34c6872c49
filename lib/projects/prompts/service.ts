import { loadPrompt } from './data';
import { fillTemplate } from './placeholders';
import { PROMPT_INPUTS, type PromptName, type PromptValues } from './schema';

/**
 * A prompt with its values, checked and filled in in one pass. `body` stands in for the shipped
 * text where a project has its own.
 */
export function renderPrompt<Name extends PromptName>(
  name: Name,
  values: PromptValues<Name>,
  body: string | null = null,
): string {
  const checked: Record<string, string> = PROMPT_INPUTS[name].parse(values);
  return fillTemplate(body ?? loadPrompt(name).body, checked);
}

/** A shipped prompt as it is, with its placeholders. */
export function shippedBody(name: PromptName): string {
  return loadPrompt(name).body;
}
