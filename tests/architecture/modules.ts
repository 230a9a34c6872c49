/** The rules of the modules in lib/, over sources that were read or made up. */
import { findCycles } from './cycles';
import type { Import, SourceFile } from './source-files';

/**
 * The modules, with what each is responsible for. Earlier groups first: a module imports those of earlier
 * groups only, and nothing of its own group, so `projects` and `agents` don't know each other.
 */
export const RESPONSIBILITIES: readonly Readonly<Record<string, string>>[] = [
  { platform: 'database access, queues, HTTP, live updates, encryption, redaction' },
  { protocol: 'types shared by control plane and runner, and the checks' },
  { commands: 'which argv a tier may run, and the catalog of programs' },
  { identity: 'organizations, people, sign-in, roles, tokens, audit log' },
  {
    projects: 'configuration: services, schedules, tiers, rules, prompts, limits',
    agents: 'adapters for agent CLIs: command, stream, end, usage, prices',
  },
  { fleet: 'runners, pools, keys, presence' },
  {
    monitoring: 'checks without an agent: plans, results, states, heartbeats of jobs',
    signals: 'what other systems send: sources, their alerts, how these are framed',
  },
  { engine: 'starts, claims, events, settlement, escalation, continuation' },
  { incidents: 'outages, from the first failure to the proven recovery' },
  {
    conversations: 'Ask threads',
    deliveries: 'webhooks, notification channels, mail: one outbox',
  },
  { paging: 'who is notified next, until someone acknowledges' },
  { watchdog: 'problems of the installation itself' },
  {
    insight: 'read models of the pages and the API',
    telemetry: 'metrics and traces for other systems',
  },
  { api: 'HTTP conventions and the OpenAPI document' },
  {
    operations: 'what members and tokens can do: one definition for REST, actions and the document',
  },
  { mcp: 'the tools for agents' },
];

export const MODULE_ORDER: readonly (readonly string[])[] = RESPONSIBILITIES.map(Object.keys);

const DEPTH = new Map(
  MODULE_ORDER.flatMap((group, depth) => group.map((name) => [name, depth] as const)),
);

/** `engine` for `lib/engine/claim.ts`; null outside lib's folders. */
export function moduleOf(path: string): string | null {
  return /^lib\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** Queries that belong to their module alone: `data.ts`, `context-data.ts`. */
function isData(target: string | null): target is string {
  return target !== null && /^lib\/.*\/(?:[\w-]+-)?data$/.test(target);
}

/** Data files, and `*-rows.ts`: what other modules may read and write of a module's tables. */
function holdsQueries(path: string): boolean {
  return /\/(?:(?:[\w-]+-)?data|[\w-]+-rows)\.ts$/.test(path);
}

interface Rule {
  title: string;
  /** What to do instead. */
  advice: string;
  violations(files: readonly SourceFile[]): string[];
}

function rule(
  title: string,
  advice: string,
  isWrong: (imported: Import, file: SourceFile) => boolean,
): Rule {
  const violations = (files: readonly SourceFile[]) =>
    files.flatMap((file) =>
      file.imports
        .filter((imported) => isWrong(imported, file))
        .map((imported) => `${file.path} imports ${imported.specifier}`),
    );
  return { title, advice, violations };
}

/** Of every directory: its files and folders, and which imports which. */
function findFolderCycles(files: readonly SourceFile[]): string[] {
  const levels = new Map<string, { from: string; to: string }[]>();
  for (const { path, imports } of files) {
    if (moduleOf(path) === null) continue;
    for (const { target } of imports) {
      if (!target?.startsWith('lib/')) continue;
      const [from, to] = [path.replace(/\.\w+$/, '').split('/'), target.split('/')];
      const depth = from.findIndex((part, index) => part !== to[index]);
      const [own, other] = [from[depth], to[depth]];
      // Two files of one folder may share types; what runs is the rule about files.
      const areFiles = from.length === depth + 1 && to.length === depth + 1;
      if (!own || !other || areFiles) continue;
      const folder = from.slice(0, depth).join('/');
      const edges = levels.get(folder) ?? [];
      edges.push({ from: own, to: other });
      levels.set(folder, edges);
    }
  }
  return [...levels].flatMap(([folder, edges]) =>
    findCycles(edges).map((cycle) => `${folder}: ${cycle}`),
  );
}

function findFileCycles(files: readonly SourceFile[]): string[] {
  return findCycles(
    files.flatMap(({ path, imports }) =>
      imports.flatMap(({ target, isType }) =>
        target && !isType ? [{ from: path.replace(/\.\w+$/, ''), to: target }] : [],
      ),
    ),
  );
}

function isDatabase({ target, specifier }: Import): boolean {
  return target?.startsWith('generated/') === true || /^(?:@prisma\/|pg$|kysely$)/.test(specifier);
}

export const RULES: readonly Rule[] = [
  {
    title: 'every file of lib belongs to a module',
    advice: 'Move it into one of the modules of MODULE_ORDER.',
    violations: (files) =>
      files
        .map(({ path }) => path)
        .filter((path) => path.startsWith('lib/') && !DEPTH.has(moduleOf(path) ?? '')),
  },
  rule(
    'a module imports earlier modules only',
    'Move what is shared into the earlier module, or tell the later one by a domain event.',
    ({ target }, { path }) => {
      const [own, other] = [moduleOf(path), moduleOf(`${target}.ts`)];
      if (own === null || other === null || own === other) return false;
      return (DEPTH.get(other) ?? 0) >= (DEPTH.get(own) ?? 0);
    },
  ),
  {
    title: 'folders of a module do not import each other in a circle',
    advice: 'Move what both need into a third folder, or merge the folders.',
    violations: findFolderCycles,
  },
  {
    title: 'files do not import each other in a circle',
    advice: 'Move what both need into a third file.',
    violations: findFileCycles,
  },
  rule(
    "nobody imports another module's data files",
    'Call a service, or move the query into a *-rows.ts of the module that owns the table.',
    ({ target }, { path }) => isData(target) && moduleOf(`${target}.ts`) !== moduleOf(path),
  ),
  rule(
    'lib imports nothing from the entry points',
    'Imports point inwards. Move what is shared into a module of lib/.',
    ({ target }, { path }) =>
      path.startsWith('lib/') && /^(?:app|workers|cli|scripts|tests)\//.test(target ?? ''),
  ),
  rule(
    'only the registry knows an agent CLI by name',
    'Call it through AGENTS of lib/agents/registry.ts; what differs between CLIs belongs on the Agent interface.',
    ({ target }, { path }) =>
      /^lib\/agents\/[^/]+\//.test(target ?? '') &&
      path !== 'lib/agents/registry.ts' &&
      !/^lib\/agents\/[^/]+\//.test(path),
  ),
  rule(
    'only platform, data files and *-rows.ts know Prisma',
    'Put the query into the data.ts of its folder and call that.',
    (imported, { path }) =>
      isDatabase(imported) &&
      !(path.startsWith('lib/') && (moduleOf(path) === 'platform' || holdsQueries(path))),
  ),
  rule(
    'modules know nothing of Next or React',
    'A page, a route and a worker call the same service. Move it to app/.',
    ({ specifier }, { path }) =>
      path.startsWith('lib/') &&
      !knowsNext(path) &&
      /^(?:next|react|react-dom|next-auth)(?:\/|$)/.test(specifier),
  ),
];

/** Sign-in is next-auth's, and a route is what Next calls. */
function knowsNext(path: string): boolean {
  return /^lib\/(?:identity\/auth|api|platform\/http)\//.test(path);
}
