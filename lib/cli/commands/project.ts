import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { parseInput } from '@/lib/http/parse-input';
import { slugOfName } from '@/lib/organizations/slug';
import { DEFAULT_CONFIG } from '@/lib/projects/default-config';
import { changedFields, type FieldChange } from '@/lib/projects/difference';
import { mergeConfig } from '@/lib/projects/document/merge';
import { type ProjectDocument, projectDocumentSchema } from '@/lib/projects/document/schema';
import { projectConfigSchema } from '@/lib/projects/schema';
import { type ProjectDto, projectDtoSchema } from '@/lib/projects/view/schema';
import { type ApiClient, ApiError } from '../client';
import { CommandError, EXIT } from '../exit-code';
import type { ContextOf } from '../program';
import { terminalText } from '../terminal-text';

export function addProjectCommands(program: Command, contextOf: ContextOf): void {
  const project = program.command('project').description('Projects as files');
  project
    .command('apply')
    .description('Create the project of a file, or change what the file names')
    .requiredOption('-f, --file <project.yaml>', 'YAML or JSON; - reads stdin')
    .action(async (options, command) => {
      const { api, print } = contextOf(command);
      const { document, current, changes } = await compare(api, options.file);
      if (current && changes.length === 0) {
        print(`${document.name} is as in the file already.`, { project: current, changes });
        return;
      }
      const saved = current
        ? await api.request('PATCH', `projects/${current.id}`, projectDtoSchema, document)
        : await api.request('POST', 'projects', projectDtoSchema, document);
      const what = current ? `Saved ${saved.name} as v${saved.version}` : `Created ${saved.name}`;
      print([`${what} (${saved.slug}, ${saved.id}).`, ...changes.map(changeLine)].join('\n'), {
        project: saved,
        changes,
      });
    });
  project
    .command('diff')
    .description('Show what apply would change; exit code 3 when there is anything')
    .requiredOption('-f, --file <project.yaml>', 'YAML or JSON; - reads stdin')
    .action(async (options, command) => {
      const { api, print } = contextOf(command);
      const { document, current, changes } = await compare(api, options.file);
      if (current && changes.length === 0) {
        print('No differences.', { exists: true, changes });
        return;
      }
      const lines = current ? changes.map(changeLine) : [`${document.name} would be created.`];
      print(lines.join('\n'), { exists: current !== null, changes });
      process.exitCode = EXIT.different;
    });
}

interface Comparison {
  document: ProjectDocument;
  /** Null: there is no project with this slug. */
  current: ProjectDto | null;
  changes: FieldChange[];
}

async function compare(api: ApiClient, file: string): Promise<Comparison> {
  const read = await readDocument(file);
  const slug = read.slug ?? slugOfName(read.name);
  const document = { ...read, slug };
  const current = await findProject(api, slug);
  if (!current) return { document, current, changes: [] };
  const before = projectConfigSchema.parse(current);
  const after = mergeConfig(before, document);
  const changes = changedFields(
    { name: current.name, ...before },
    { name: document.name, ...after },
  );
  return { document, current, changes };
}

async function readDocument(file: string): Promise<ProjectDocument> {
  const text = await readText(file);
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new CommandError(`${file} is not YAML: ${String(error)}`, EXIT.usage);
  }
  const document = parseInput(projectDocumentSchema, value);
  // What only the whole can say is found before anything is sent.
  mergeConfig(DEFAULT_CONFIG, document);
  return document;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file === '-' ? '/dev/stdin' : file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The file cannot be read: ${why}`, EXIT.usage);
  }
}

async function findProject(api: ApiClient, slug: string): Promise<ProjectDto | null> {
  try {
    return await api.request('GET', `projects/${slug}`, projectDtoSchema);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function changeLine({ path, before, after }: FieldChange): string {
  return terminalText(`  ${path}: ${shown(before)} → ${shown(after)}`);
}

function shown(value: unknown): string {
  return value === undefined ? '(none)' : JSON.stringify(value);
}
