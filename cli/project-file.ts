import { readFile } from 'node:fs/promises';
import { tierModelsOf } from '@/lib/agents/registry';
import { DEFAULT_CONFIG } from '@/lib/projects/default-config';
import { mergeConfig } from '@/lib/projects/document/merge';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import { problemText, readYaml } from '@/lib/projects/document/yaml';
import { CommandError, EXIT } from './exit-code';

/**
 * Reads the document from a file, or from stdin for `-`.
 *
 * @throws CommandError with every problem and its line
 */
export async function readProjectFile(file: string): Promise<ProjectDocument> {
  const read = readYaml(await readText(file));
  if (!read.ok) {
    const lines = read.problems.map((problem) => `  ${problemText(problem)}`);
    throw new CommandError([`${file} is not valid.`, ...lines].join('\n'), EXIT.usage);
  }
  // What only the whole can say is found before anything is sent.
  mergeConfig(DEFAULT_CONFIG, read.document, tierModelsOf);
  return read.document;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file === '-' ? '/dev/stdin' : file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The file cannot be read: ${why}`, EXIT.usage);
  }
}
