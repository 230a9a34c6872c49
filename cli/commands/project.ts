import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { tierModelsOf } from '@/lib/agents/registry';
import { slugOfName } from '@/lib/identity/organizations/slug';
import { type PolicyPreview, policyPreviewSchema } from '@/lib/insight/policy-preview/schema';
import { visibleText } from '@/lib/platform/format/visible-text';
import { DEFAULT_CONFIG } from '@/lib/projects/default-config';
import { changedFields, type FieldChange } from '@/lib/projects/difference';
import { ignoredFields, mergeConfig } from '@/lib/projects/document/merge';
import {
  hiddenTargets,
  type ProjectDocument,
  toDocument,
  withPasswords,
} from '@/lib/projects/document/schema';
import { writeYaml } from '@/lib/projects/document/yaml';
import { readConfig } from '@/lib/projects/read-config';
import { reachWarnings } from '@/lib/projects/rules/reach';
import { type ProjectDto, projectDtoSchema, savedProjectSchema } from '@/lib/projects/view';
import { type ApiClient, ApiError } from '../client';
import type { ContextOf, Terminal } from '../context';
import { CommandError, EXIT } from '../exit-code';
import { policyLines } from '../policy-text';
import { readProjectFile } from '../project-file';

export function addProjectCommands(program: Command, contextOf: ContextOf): void {
  const project = program.command('project').description('Projects as files');
  project
    .command('export <project>')
    .description('Print a project as YAML without passwords; apply reads the same format')
    .option('-o, --output <project.yaml>', 'write to this file instead of stdout')
    .action(async (reference: string, options, command) => {
      const { api, print } = contextOf(command);
      const found = await findProject(api, reference);
      if (!found) throw new CommandError(`There is no project ${reference}.`, EXIT.failed);
      const { name, slug } = found;
      const document = toDocument({ name, slug, config: readConfig(found) });
      const yaml = writeYaml(document);
      if (options.output) {
        await writeFile(options.output, yaml);
        print(`Wrote ${name} to ${options.output}.`, { file: options.output });
      } else print(yaml.trimEnd(), document);
    });
  project
    .command('apply [file]')
    .description('Create a project from a file, or update the fields the file sets; - reads stdin')
    .option('-f, --file <project.yaml>', 'the same as the argument')
    .action(async (file: string | undefined, options, command) => {
      const { api, print } = contextOf(command);
      const { document, current, changes } = await compare(api, fileOf(file, options.file));
      if (current && changes.length === 0) {
        print(`${document.name} already matches the file.`, { project: current, changes });
        return;
      }
      const saved = current
        ? await api.request('PATCH', `projects/${current.id}`, savedProjectSchema, document)
        : await api.request('POST', 'projects', savedProjectSchema, document);
      const what = current ? `Saved ${saved.name} as v${saved.version}` : `Created ${saved.name}`;
      const first = `${what} (${saved.slug}, ${saved.id}).`;
      print(linesOf(first, document, changes, saved.warnings), {
        project: saved,
        changes,
      });
    });
  project
    .command('diff [file]')
    .description('Show what apply would change; exits with code 3 if there are differences')
    .option('-f, --file <project.yaml>', 'the same as the argument')
    .action(async (file: string | undefined, options, command) => {
      const { api, print, terminal } = contextOf(command);
      const { document, current, changes, warnings } = await compare(
        api,
        fileOf(file, options.file),
      );
      if (current && changes.length === 0) {
        print('No differences.', { exists: true, changes });
        return;
      }
      const policy = current && (await previewPolicy(api, terminal, current.id, document));
      const first = current ? '' : `${document.name} would be created.`;
      const lines = linesOf(first, document, changes, warnings);
      print([lines, ...(policy ? policyLines(policy) : [])].join('\n'), {
        exists: current !== null,
        changes,
        warnings,
        policy,
      });
      terminal.exitCode = EXIT.different;
    });
}

interface Comparison {
  document: ProjectDocument;
  /** Null: there is no project with this slug. */
  current: ProjectDto | null;
  changes: FieldChange[];
  /** What to know about the rules. */
  warnings: string[];
}

async function compare(api: ApiClient, file: string): Promise<Comparison> {
  const read = await readProjectFile(file);
  const slug = read.slug ?? slugOfName(read.name);
  const current = await findProject(api, slug);
  const before = current && readConfig(current);
  const document = withPasswords({ ...read, slug }, before);
  const [hidden] = hiddenTargets(document);
  if (hidden) {
    const message = `${hidden}: the password was removed on export. Delete its placeholder too; checks never send a password.`;
    throw new CommandError(message, EXIT.usage);
  }
  if (!current || !before) {
    const made = mergeConfig(DEFAULT_CONFIG, document, tierModelsOf);
    return { document, current: null, changes: [], warnings: reachWarnings(null, made) };
  }
  const after = mergeConfig(before, document, tierModelsOf);
  const changes = changedFields(
    { name: current.name, ...before },
    { name: document.name, ...after },
  );
  return { document, current, changes, warnings: reachWarnings(before, after) };
}

/** Null if the server can't compare, such as for a token that may only read: the difference stands. */
async function previewPolicy(
  api: ApiClient,
  { stderr }: Terminal,
  projectId: string,
  document: ProjectDocument,
): Promise<PolicyPreview | null> {
  try {
    const path = `projects/${projectId}/policy-preview`;
    return await api.request('POST', path, policyPreviewSchema, document);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const why = visibleText(error.message);
    stderr.write(`Couldn’t compare with the commands of the last 30 days. ${why}\n`);
    return null;
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

function fileOf(argument: string | undefined, option: string | undefined): string {
  const file = argument ?? option;
  if (!file) throw new CommandError('Give a file, or - for stdin.', EXIT.usage);
  return file;
}

function linesOf(
  first: string,
  document: ProjectDocument,
  changes: readonly FieldChange[],
  warnings: readonly string[],
): string {
  const said = [...changes.map(changeLine), ...warnings.map(warningLine)];
  const lines = [first, ignoredFields(document), ...said];
  return lines.filter((line) => line !== '').join('\n');
}

function changeLine({ path, before, after }: FieldChange): string {
  return visibleText(`  ${path}: ${shown(before)} → ${shown(after)}`);
}

function warningLine(warning: string): string {
  return visibleText(`  Warning: ${warning}`);
}

function shown(value: unknown): string {
  return value === undefined ? '(none)' : JSON.stringify(value);
}
