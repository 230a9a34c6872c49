/** What documents say about the modules, made from the code: `node scripts/write-docs.mjs` writes it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MODULE_ORDER, moduleOf, RESPONSIBILITIES } from './modules';
import { productSources, ROOT, type SourceFile } from './source-files';

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

function importsText(name: string, sources: readonly SourceFile[]): string {
  const imported = new Set<string>();
  const used = new Set<string>();
  for (const { path: file, imports } of sources) {
    const own = moduleOf(file);
    for (const { target } of imports) {
      const other = moduleOf(`${target}.ts`);
      if (other === null || target === null || own === other) continue;
      if (own === name) imported.add(other);
      if (other === name) used.add(target);
    }
  }
  const files = sources.map((source) => source.path).filter((file) => moduleOf(file) === name);
  const entries = files.filter((file) => used.has(file.replace(/\.tsx?$/, '')));
  const order = MODULE_ORDER.flat().filter((module) => imported.has(module));
  return [
    `Imports ${order.length > 0 ? quoted(order) : 'no other module'}.`,
    '',
    'Other modules import these of its files:',
    `${quoted(entries.map((file) => path.posix.relative(`lib/${name}`, file)))}.`,
  ].join('\n');
}

function tableText(): string {
  const rows = RESPONSIBILITIES.flatMap((group) => Object.entries(group)).map(
    ([name, responsibility]) => `| [${name}](lib/${name}/README.md) | ${responsibility} |`,
  );
  return ['| module | responsible for |', '| --- | --- |', ...rows].join('\n');
}

const BEGIN = '<!-- made by scripts/write-docs.mjs -->\n';
const END = '\n<!-- end -->';

/** Returns the text with what stands between its markers replaced. @throws {Error} without markers */
export function withGenerated(text: string, generated: string): string {
  const [before, rest] = text.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (after === undefined)
    throw new Error('It has no markers for what scripts/write-docs.mjs makes.');
  return `${before}${BEGIN}\n${generated}\n${END}${after}`;
}

/** Returns the documents that name modules, by path, as they should be. */
export function moduleDocs(): Record<string, string> {
  const sources = productSources();
  const generated = {
    'README.md': tableText(),
    'CONTRIBUTING.md': `\`${MODULE_ORDER.map((group) => group.join(', ')).join(' < ')}\``,
    ...Object.fromEntries(
      MODULE_ORDER.flat().map((name) => [`lib/${name}/README.md`, importsText(name, sources)]),
    ),
  };
  return Object.fromEntries(
    Object.entries(generated).map(([file, text]) => [
      file,
      withGenerated(readFileSync(path.join(ROOT, file), 'utf8'), text),
    ]),
  );
}

if (process.argv[1] === import.meta.filename) process.stdout.write(JSON.stringify(moduleDocs()));
