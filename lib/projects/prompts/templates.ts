import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { fillTemplate, placeholders, unknownPlaceholders } from './placeholders';
import { PROMPT_INPUTS, type PromptName, type PromptValues, TOOL_INPUTS } from './schema';

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

/** A shipped prompt as a project may change it: with its placeholders, and the names of an agent's tools. */
export function shippedBody(name: PromptName, tools: Readonly<Record<string, string>>): string {
  return fillTemplate(loadPrompt(name).body, tools).trim();
}

const loaded = new Map<PromptName, PromptTemplate>();

/** A shipped prompt, read once from the folder `prompts` below the process's work directory. */
export function loadPrompt(name: PromptName): PromptTemplate {
  const known = loaded.get(name);
  if (known) return known;
  const template = parseTemplate(
    readFileSync(path.join(process.cwd(), 'prompts', `${name}.md`), 'utf8'),
  );
  if (template.name !== name) throw new Error(`prompts/${name}.md calls itself ${template.name}.`);
  loaded.set(name, template);
  return template;
}

const frontMatterSchema = z.object({
  name: z.string().min(1),
  version: z.number().int().positive(),
  inputs: z.array(z.string().regex(/^[a-z][A-Za-z0-9]*$/)),
});

interface PromptTemplate extends z.infer<typeof frontMatterSchema> {
  body: string;
}

/** Reads a prompt file: front matter between two lines of dashes, then the text. */
export function parseTemplate(file: string): PromptTemplate {
  const parts = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file.replaceAll('\r\n', '\n'));
  if (!parts) throw new Error('A prompt file starts with front matter between two lines of ---.');
  const front = frontMatterSchema.parse(parse(parts[1] ?? ''));
  const body = (parts[2] ?? '').trim();
  const unknown = placeholders(body).filter((name) => !front.inputs.includes(name));
  if (unknown.length > 0) {
    throw new Error(`Prompt ${front.name} uses ${unknown.join(', ')}, which are not its inputs.`);
  }
  return { ...front, body };
}

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
  const inputs = OWN_PROMPTS[tier].map((name) =>
    Object.keys(PROMPT_INPUTS[name].shape).filter((input) => !TOOL_INPUTS.includes(input)),
  );
  return (inputs[0] ?? []).filter((input) => inputs.every((list) => list.includes(input)));
}
