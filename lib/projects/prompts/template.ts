import { parse } from 'yaml';
import { z } from 'zod';
import { placeholders } from './placeholders';

const frontMatterSchema = z.object({
  name: z.string().min(1),
  version: z.number().int().positive(),
  inputs: z.array(z.string().regex(/^[a-z][A-Za-z0-9]*$/)),
});

export interface PromptTemplate extends z.infer<typeof frontMatterSchema> {
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
