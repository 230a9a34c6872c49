import { describe, expect, it } from 'vitest';
import { findCycles } from './cycles';
import { domainOf, type Import, type SourceFile, sourceFiles } from './source-files';

const lib = sourceFiles('lib');
const outer = sourceFiles('app', 'workers', 'proxy.ts', 'instrumentation.ts');

/** They carry requests of Next to the services, so they may know it. */
const KNOW_NEXT = ['auth', 'http', 'actions'];
/** They make the transaction and the scope that everything else is given. */
const KNOW_PRISMA = ['db', 'tenancy'];

function offences(
  files: SourceFile[],
  isWrong: (imported: Import, file: SourceFile) => boolean,
): string[] {
  return files.flatMap((file) =>
    file.imports
      .filter((imported) => isWrong(imported, file))
      .map((imported) => `${file.path} imports ${imported.specifier}`),
  );
}

function isData(target: string | null): boolean {
  return target !== null && /^lib\/.*(?:^|\/)data$/.test(target);
}

function isPrismaClient(imported: Import): boolean {
  return (
    imported.target?.startsWith('generated/') === true ||
    /^(?:@prisma\/|pg$)/.test(imported.specifier)
  );
}

function expectNone(found: string[], advice: string) {
  expect(found, `${advice}\n${found.join('\n')}`).toEqual([]);
}

describe('import directions', () => {
  it('a domain folder knows nothing of Next or React', () => {
    const found = offences(
      lib.filter((file) => !KNOW_NEXT.includes(domainOf(file.path) ?? '')),
      ({ specifier }) => /^(?:next|react|react-dom|next-auth)(?:\/|$)/.test(specifier),
    );
    expectNone(found, 'A page, a route and a worker call the same service. Move it to app/.');
  });

  it('lib imports nothing from app or workers', () => {
    const found = offences(lib, ({ target }) => /^(?:app|workers)\//.test(target ?? ''));
    expectNone(found, 'Imports point inwards. Move what is shared into a domain folder of lib/.');
  });

  it('app and workers go through services', () => {
    const found = offences(
      outer,
      (imported) => isPrismaClient(imported) || isData(imported.target),
    );
    expectNone(found, 'Call a function of the service.ts; add one if none says it.');
  });

  it('only data.ts, lib/db and lib/tenancy know Prisma', () => {
    const found = offences(
      lib.filter(({ path }) => {
        const isInfrastructure = KNOW_PRISMA.includes(domainOf(path) ?? '');
        return !isInfrastructure && !path.endsWith('/data.ts');
      }),
      (imported, file) => isPrismaClient(imported) && !mayListen(file, imported),
    );
    expectNone(found, 'Put the query into the data.ts of its folder and call that.');
  });

  it("a domain leaves another domain's data.ts alone", () => {
    const found = offences(lib, ({ target }, file) => {
      const other = domainOf(`${target}.ts`);
      return (
        isData(target) &&
        other !== domainOf(file.path) &&
        other !== 'audit' &&
        other !== 'rate-limits'
      );
    });
    expectNone(found, "Call the other domain's service.ts, which checks what it has to.");
  });

  it('domains do not go round in circles', () => {
    const edges = lib.flatMap((file) =>
      file.imports.flatMap(({ target, isType }) => {
        const [from, to] = [domainOf(file.path), domainOf(`${target}.ts`)];
        return from && to && from !== to && !isType ? [{ from, to, by: file.path }] : [];
      }),
    );
    expectNone(findCycles(edges), 'Move what both need into the one that knows less.');
  });
});

/** LISTEN needs a connection of its own, outside of any transaction. */
function mayListen(file: SourceFile, imported: Import): boolean {
  return file.path.startsWith('lib/live/') && imported.specifier === 'pg';
}
