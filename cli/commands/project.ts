import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { tierModelsOf } from '@/lib/agents/registry';
import { slugOfName } from '@/lib/identity/organizations/slug';
import {
  type ChangeGroup,
  type ChangeKind,
  type PolicyPreview,
  policyPreviewSchema,
} from '@/lib/insight/policy-preview/schema';
import { formatCount, formatCounted } from '@/lib/platform/format/count';
import { visibleText } from '@/lib/platform/format/visible-text';
import { changedFields, type FieldChange } from '@/lib/projects/difference';
import { ignoredFields, mergeConfig } from '@/lib/projects/document/merge';
import {
  hiddenTargets,
  type ProjectDocument,
  toDocument,
  withPasswords,
} from '@/lib/projects/document/schema';
import { problemText, readYaml, writeYaml } from '@/lib/projects/document/yaml';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';
import { readConfig } from '@/lib/projects/read-config';
import { reachWarnings } from '@/lib/projects/rules/reach';
import { type ProjectDto, projectDtoSchema, savedProjectSchema } from '@/lib/projects/view';
import { type ApiClient, ApiError } from '../client';
import type { ContextOf, Terminal } from '../context';
import { CommandError, EXIT } from '../exit-code';

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

const SHOWN = 10;

const KINDS: Record<ChangeKind, string> = {
  newly_allowed: 'newly allowed',
  no_longer_asking: 'no longer requiring approval',
  newly_asking: 'newly requiring approval',
  newly_refused: 'newly refused',
  newly_inside: 'newly in the sandbox',
};

/** Returns the lines that say what a change of rules makes of recent commands; none if it changes no rules. */
export function policyLines({ days, tiers, groups }: PolicyPreview): string[] {
  if (tiers.length === 0) return [];
  const heading = `Over the last ${days} days:`;
  if (groups.length === 0) return [heading, '  No command is decided differently.'];
  const cut = tiers
    .filter(({ isCut }) => isCut)
    .map(({ tier }) => `  Only the newest commands of tier ${tier} were compared.`);
  return [heading, ...groups.flatMap(groupLines), ...cut];
}

function groupLines({ kind, tier, commands, calls, listed }: ChangeGroup): string[] {
  const counts = `${formatCounted(commands, 'command')}, ${formatCounted(calls, 'call')}`;
  const shown = listed.slice(0, SHOWN);
  const more = commands - shown.length;
  return [
    `  ${KINDS[kind]} in tier ${tier}: ${counts}`,
    ...shown.map(({ command, count, newest }) => {
      const [first = '', ...rest] = command.split('\n');
      const text = visibleText(rest.length > 0 ? `${first} …` : first);
      return `    ${formatCount(count)} × ${text} (Session #${newest.sessionNumber})`;
    }),
    ...(more > 0 ? [`    ${formatCount(more)} more; --json lists up to 200`] : []),
  ];
}

/**
 * Reads the document from a file, or from stdin for `-`.
 *
 * @throws CommandError with every problem and its line
 */
async function readProjectFile(file: string): Promise<ProjectDocument> {
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
