import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PromptName } from './schema';
import { type PromptTemplate, parseTemplate } from './template';

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
