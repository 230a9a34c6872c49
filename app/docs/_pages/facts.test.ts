/** What the manual, the README and the changelog state is compared with the code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { PICTURE_SIZE } from '@/app/docs/_components/doc-markdown';
import { createProgram } from '@/cli/program';
import { tierModelsOf } from '@/lib/agents/registry';
import { TOOLS } from '@/lib/mcp/registry';
import { checkProblems } from '@/lib/projects/check-problems';
import { mergeConfig } from '@/lib/projects/document/merge';
import { readYaml } from '@/lib/projects/document/yaml';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';
import { ruleWarning } from '@/lib/projects/rules/warnings';
import { USUAL_PATHS } from '@/lib/signals/adapters/generic';
import { setUpText } from '@/lib/signals/set-up-text';
import { DOC_PAGES, docPicture } from './pages';
import { anchorOf, docSections } from './sections';

const FILES = [...DOC_PAGES.map(({ slug }) => `docs/${slug}.md`), 'README.md', 'CHANGELOG.md'];
const text = (file: string) => readFileSync(file, 'utf8');

/** The fenced blocks of a file in one language. */
function blocksOf(file: string, language: string): string[] {
  const fence = new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm');
  return [...text(file).matchAll(fence)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

function samplesIn(files: readonly string[], language: string) {
  return files.flatMap((file) =>
    blocksOf(file, language).map((block, index) => ({ name: `${file} #${index + 1}`, block })),
  );
}

const yaml = samplesIn(FILES, 'yaml');
const manifests = yaml.filter(({ block }) => /^apiVersion:/m.test(block));
const senders = yaml.filter(({ block }) => /^receivers:/m.test(block));
const projects = yaml.filter((sample) => ![...manifests, ...senders].includes(sample));

describe('[PAG-3.2] samples of the manual', () => {
  it('has projects in every guide that creates one', () => {
    const guides = ['watch-docker', 'watch-kubernetes', 'watch-systemd', 'first-tier-2'];
    for (const guide of guides) {
      expect(projects.some(({ name }) => name.startsWith(`docs/${guide}.md`))).toBe(true);
    }
  });

  it.each(senders)('[INC-1.3] $name is what the page of an alert source shows', ({ block }) => {
    const url = 'https://tierwatch.example.com/api/signals/als_…';
    const source = {
      kind: 'alertmanager',
      url,
      signingSecretHints: [],
      timestampHeader: null,
    } as const;
    expect(block.trim()).toBe(setUpText(source).text);
  });

  it('[INC-1.3] docs/send-alerts.md names every field that is looked up without a mapping', () => {
    const page = text('docs/send-alerts.md');
    const row = (paths: readonly string[]) => paths.map((each) => `\`${each}\``).join(', ');
    for (const paths of Object.values(USUAL_PATHS)) expect(page).toContain(`| ${row(paths)} |`);
  });

  it.each(projects)('$name is a valid project', ({ block }) => {
    const read = readYaml(block);
    expect(read).toMatchObject({ ok: true });
    if (!read.ok) return;
    const config = mergeConfig(DEFAULT_CONFIG, read.document, tierModelsOf);
    const rules = config.tiers.slice(0, 2).flatMap((tier) => tier.allowedTools);
    expect(rules.map(ruleWarning).filter(Boolean)).toEqual([]);
    expect(checkProblems(config)).toEqual({});
  });

  it.each(manifests)('$name is YAML', ({ block }) => {
    expect(parseAllDocuments(block).flatMap((document) => document.errors)).toEqual([]);
  });

  it.each(samplesIn(FILES, 'json'))('$name is JSON', ({ block }) => {
    expect(() => JSON.parse(block)).not.toThrow();
  });
});

const program = createProgram({});

/** The command that a line names, and the options of it that don't exist. */
function resolve(line: string): { command: string; unknownOptions: string[] } {
  let command: Command = program;
  const words = line.split(/\s+/).filter(Boolean);
  while (words.length > 0) {
    const next = command.commands.find((each) => each.name() === words[0]);
    if (!next) break;
    command = next;
    words.shift();
  }
  const flags = command.options.flatMap(({ short, long }) => [short, long]);
  const used = words.filter((word) => /^--?[a-z]/.test(word));
  return {
    command: command === program ? '' : command.name(),
    unknownOptions: used.filter((word) => !flags.includes(word)),
  };
}

describe('[PAG-3.2] commands of the manual', () => {
  const inCode = FILES.flatMap((file) =>
    [...text(file).matchAll(/tierwatch -- (?!<)([^\n`|)#]+)/g)].map(([, line = '']) => ({
      file,
      line: line
        .replace(/\\$/, '')
        .replaceAll(/"[^"]*"/g, 'text')
        .trim(),
    })),
  );
  const inTable = [...text('docs/api.md').matchAll(/`([a-z]+ (?:[a-z-]+ )?[^`]*)`/g)]
    .map(([, line = '']) => ({ file: 'docs/api.md', line }))
    .filter(({ line }) => program.commands.some((each) => line.startsWith(`${each.name()} `)))
    .map(({ file, line }) => ({ file, line: line.replaceAll(/[[\]]/g, ' ').replaceAll('…', '') }));

  it('are found', () => {
    expect(inCode.length).toBeGreaterThan(20);
    expect(inTable.length).toBeGreaterThan(12);
  });

  it.each([...inCode, ...inTable])('$file: tierwatch $line exists', ({ line }) => {
    const { command, unknownOptions } = resolve(line);
    expect(command, line).not.toBe('');
    expect(unknownOptions, line).toEqual([]);
  });

  it('the command line is documented as a whole', () => {
    const manual = ['docs/api.md', 'docs/incidents.md'].map(text).join('\n');
    const leaves = program.commands.flatMap((group) =>
      group.commands.length === 0
        ? [group.name()]
        : group.commands.map((leaf) => `${group.name()} ${leaf.name()}`),
    );
    expect(leaves.filter((leaf) => !manual.includes(`\`${leaf}`))).toEqual([]);
  });

  it('would notice a command or an option that does not exist', () => {
    expect(resolve('project destroy x').command).toBe('project');
    expect(resolve('nothing').command).toBe('');
    expect(resolve('chain run x --forever').unknownOptions).toEqual(['--forever']);
  });
});

it('[INC-4.3] the manual lists every tool of the MCP server with its scopes', () => {
  const rows = [...text('docs/mcp.md').matchAll(/^\| `([a-z_]+)` \| [^|]+ \| ([^|]+) \|$/gm)];
  expect(rows.map(([, name, scopes = '']) => [name, scopes.trim()])).toEqual(
    TOOLS.map(({ name, scopes }) => [name, scopes.map((scope) => `\`${scope}\``).join(', ')]),
  );
});

/** Every file that reads or sets a variable of the environment. */
const SOURCES = [
  ...['lib', 'workers', 'cli', 'scripts'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => `${root}/${file}`),
  ),
  ...['docker-compose.yml', 'Dockerfile', 'tests/e2e/playwright.config.ts'],
]
  .filter((file) => /\.(ts|mjs|json|yml)$|Dockerfile$/.test(file) && !file.includes('.test.'))
  .map(text)
  .join('\n');

/** Variables of other programs, or of the reader's own script. */
const FOREIGN = [
  ...[
    'WEBHOOK_SECRET',
    'SLACK_WEBHOOK_URL',
    'KUBECONFIG',
    'CHROMIUM_PATH',
    'DB_PASSWORD',
    'LARGEST_BODY_BYTES',
    'CLAUDE_CODE_ENABLE_TELEMETRY',
    'CLAUDE_CODE_ENHANCED_TELEMETRY_BETA',
    // Of containers before secrets were files, in the page about upgrades.
    'POSTGRES_PASSWORD',
    'TIERWATCH_DATABASE_PASSWORD',
  ],
];

it('[PAG-3.2] every variable that the manual names is read by the code', () => {
  const named = FILES.flatMap((file) =>
    [...text(file).matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([name]) => ({
      file,
      name,
    })),
  );
  const unknown = named.filter(
    ({ name }) => !FOREIGN.includes(name) && !new RegExp(`\\b${name}\\b`).test(SOURCES),
  );
  expect(unknown).toEqual([]);
});

describe('[PAG-3.2] pictures of the manual', () => {
  const pictures = FILES.flatMap((file) =>
    [...text(file).matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, alt = '', src = '']) => ({
      file,
      alt,
      picture: path.posix.join(path.posix.dirname(file), src),
    })),
  );

  it('are on the pages that introduce the product', () => {
    const files = new Set(pictures.map(({ file }) => file));
    for (const page of ['README.md', 'docs/introduction.md', 'docs/quick-start.md']) {
      expect(files).toContain(page);
    }
  });

  it.each(pictures)('$picture in $file is there, has a text and the size of a page', (picture) => {
    expect(picture.alt.length).toBeGreaterThan(30);
    expect(docPicture(picture.picture.replace('docs/', ''))).not.toBeNull();
    const file = readFileSync(picture.picture);
    expect({ width: file.readUInt32BE(16), height: file.readUInt32BE(20) }).toEqual(PICTURE_SIZE);
    expect(file.length).toBeLessThan(150_000);
  });
});

describe('[PAG-3.2] links to the manual', () => {
  const anchors = new Map(
    DOC_PAGES.map(({ slug }) => [
      slug,
      docSections(text(`docs/${slug}.md`)).map(({ anchor }) => anchor),
    ]),
  );
  const isThere = (page: string, anchor: string | undefined) =>
    anchors.get(page)?.includes(anchor ?? anchors.get(page)?.[0] ?? '') ?? false;

  it.each(['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'])('of %s lead somewhere', (file) => {
    const own = docSections(text(file)).map(({ heading }) => anchorOf(heading));
    const dead = [...text(file).matchAll(/\]\(([^)]+)\)/g)]
      .map(([, href = '']) => href)
      .filter((href) => {
        if (/^https?:/.test(href)) return false;
        const [target = '', anchor] = href.split('#');
        if (target === '') return !own.includes(anchor ?? '');
        if (!existsSync(target)) return true;
        const page = /^docs\/([\w-]+)\.md$/.exec(target)?.[1];
        return anchor !== undefined && page !== undefined && !isThere(page, anchor);
      });
    expect(dead).toEqual([]);
  });

  it('of the product lead somewhere', () => {
    const links = readdirSync('app', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx') || (file.endsWith('.ts') && !file.includes('.test.')))
      .flatMap((file) => [
        ...text(`app/${file}`).matchAll(/<DocLink to="([\w-]+)(?:#([\w-]+))?"/g),
        ...text(`app/${file}`).matchAll(/["'`]\/docs\/([\w-]+)(?:#([\w-]+))?["'`]/g),
      ])
      .map(([, page = '', anchor]) => ({ page, anchor }))
      .filter(({ page }) => !['reference', 'search'].includes(page));
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter(({ page, anchor }) => !isThere(page, anchor))).toEqual([]);
  });
});
