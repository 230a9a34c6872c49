import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the root, with `/`: `lib/engine/claim.ts`. */
  path: string;
  text: string;
  imports: Import[];
}

export interface Import {
  /** As it is written. */
  specifier: string;
  /** From the root and without ending, for files of ours; null for packages. */
  target: string | null;
  /** Vanishes at run time. */
  isType: boolean;
}

/** Sources below these folders and files of the root, without tests. */
export function sourceFiles(...places: string[]): SourceFile[] {
  return places.flatMap((place) => filesBelow(place)).map(readSource);
}

/** Everything that ships. */
export function productSources(): SourceFile[] {
  const roots = ['proxy.ts', 'instrumentation.ts', 'instrumentation-client.ts'];
  return sourceFiles('lib', 'app', 'workers', 'cli', ...roots);
}

// `test-run.ts` and the like hold up the tests beside them.
const TEST_FILE = /\.test\.tsx?$|\/test-[\w-]+\.ts$/;

function filesBelow(place: string): string[] {
  if (/\.[a-z]+$/.test(place)) return [place];
  return readdirSync(path.join(ROOT, place), { recursive: true, encoding: 'utf8' })
    .map((name) => `${place}/${name.split(path.sep).join('/')}`)
    .filter((name) => /\.(?:ts|tsx|mts)$/.test(name) && !TEST_FILE.test(name))
    .sort();
}

function readSource(file: string): SourceFile {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return { path: file, text, imports: importsOf(file, text) };
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

/** Every import, re-export and dynamic import of a source. */
export function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, fixed, dynamic]) => {
    const specifier = fixed ?? dynamic ?? '';
    return { specifier, target: resolve(file, specifier), isType: type !== undefined };
  });
}

function resolve(file: string, specifier: string): string | null {
  const target = specifier.startsWith('@/')
    ? specifier.slice(2)
    : specifier.startsWith('.')
      ? path.posix.join(path.posix.dirname(file), specifier)
      : null;
  return target?.replace(/\.(?:ts|tsx|mts|js)$/, '') ?? null;
}
