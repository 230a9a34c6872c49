import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { fillTemplate, placeholders, unknownPlaceholders } from './prompt-placeholders';

/**
 * Renders a prompt: checks its values and fills them in in one pass. `body` replaces the default
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

/**
 * Returns a default prompt as a project may change it: with its placeholders and the names of an
 * agent's tools.
 */
export function shippedBody(name: PromptName, tools: Readonly<Record<string, string>>): string {
  return fillTemplate(loadPrompt(name).body, tools).trim();
}

const loaded = new Map<PromptName, PromptTemplate>();

/**
 * Returns a default prompt, read once from the folder `prompts` below the process's work directory.
 */
export function loadPrompt(name: PromptName): PromptTemplate {
  const known = loaded.get(name);
  if (known) return known;
  const template = parseTemplate(
    readFileSync(path.join(process.cwd(), 'prompts', `${name}.md`), 'utf8'),
  );
  if (template.name !== name)
    throw new Error(`prompts/${name}.md has the name ${template.name} in its front matter.`);
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
 * Returns the error in a project's own prompt for a tier, or null. It may use the inputs that all
 * prompts it replaces have in common.
 */
export function ownPromptProblem(tier: 1 | 2 | 3, body: string): string | null {
  if (body.trim() === '') return 'The prompt is empty. Write one, or reset it to the default.';
  const known = ownPromptInputs(tier);
  const unknown = unknownPlaceholders(body, known);
  if (unknown.length === 0) return null;
  return `There is no input named ${unknown.join(', ')}. Use ${known.join(', ')}.`;
}

/**
 * Returns the inputs that a project's own prompt for a tier may use: those of every prompt it
 * replaces.
 */
export function ownPromptInputs(tier: 1 | 2 | 3): string[] {
  const inputs = OWN_PROMPTS[tier].map((name) =>
    Object.keys(PROMPT_INPUTS[name].shape).filter((input) => !TOOL_INPUTS.includes(input)),
  );
  return (inputs[0] ?? []).filter((input) => inputs.every((list) => list.includes(input)));
}

const text = z.string();
const line = z
  .string()
  .min(1)
  .refine((value) => !/[\n\r]/.test(value), 'One line only.');

const started = { project: line, affected: line, request: text };
const reports = { reportTool: line };
const checks = { checkTool: line };

/** The inputs of each prompt. The names match its front matter, which a test checks. */
export const PROMPT_INPUTS = {
  'system-tier': z.object({
    tier: line,
    title: line,
    project: line,
    tierRules: text,
    services: text,
    actions: text,
    cooldowns: text,
    dryRun: text,
    sections: text,
    ...reports,
    ...checks,
  }),
  'keep-notes': z.object({ digestTool: line, rememberTool: line, recallTool: line }),
  'rules-tier-1': z.object({}),
  'rules-tier-2': z.object({}),
  'rules-tier-3': z.object({}),
  'tier-1-observe': z.object({ project: line, request: text, ...reports, ...checks }),
  'tier-2-investigate-and-fix': z.object({ ...started, ...reports, ...checks }),
  'tier-3-remediate': z.object({ ...started, ...reports, ...checks }),
  'tier-2-from-handoff': z.object({ ...started, ...reports, asOf: line }),
  'tier-3-from-handoff': z.object({ ...started, ...reports, asOf: line }),
  'write-handoff-tier-1': z.object({ file: line, ...reports }),
  'write-handoff-tier-2': z.object({ file: line, ...reports }),
  'escalate-to-tier-2': z.object({ affected: line, dryRun: line, ...reports }),
  'escalate-to-tier-3': z.object({ affected: line, dryRun: line, ...reports }),
  'system-ask': z.object({
    project: line,
    about: text,
    services: text,
    actions: text,
    sections: text,
    askBack: text,
    ...checks,
  }),
  'ask-back': z.object({ askTool: line }),
  'ask-resumed': z.object({ message: text.min(1) }),
  'ask-continue': z.object({}),
  'ask-from-transcript': z.object({ transcript: text.min(1), message: text.min(1) }),
  continue: z.object(reports),
  'after-approval': z.object({
    decisions: text.min(1),
    commands: text.min(1),
    terms: text.min(1),
    ...reports,
  }),
  reconcile: z.object({ project: line, tier: line, affected: line, ...reports, ...checks }),
} as const;

/** Inputs that every start has from its agent: names of tools. A project's own prompt writes them out. */
const TOOL_INPUTS: readonly string[] = ['reportTool', 'checkTool'];

export type PromptName = keyof typeof PROMPT_INPUTS;
type PromptValues<Name extends PromptName> = z.infer<(typeof PROMPT_INPUTS)[Name]>;

export const PROMPT_NAMES = Object.keys(PROMPT_INPUTS) as PromptName[];
