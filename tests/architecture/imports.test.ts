import { describe, expect, it } from 'vitest';
import { findCycles } from './cycles';
import { domainOf, type Import, type SourceFile, sourceFiles } from './source-files';

const inLib = sourceFiles('lib');
// The command line lies in lib, but it is a way in like a page: nothing else may import it.
const isCommandLine = (file: SourceFile) => file.path.startsWith('lib/cli/');
const lib = inLib.filter((file) => !isCommandLine(file));
const outer = [
  ...inLib.filter(isCommandLine),
  ...sourceFiles('app', 'workers', 'proxy.ts', 'instrumentation.ts', 'instrumentation-client.ts'),
];

/** They carry requests of Next to the services, so they may know it. */
const KNOW_NEXT = ['auth', 'http', 'actions'];
/** Written in the same transaction as any change, or counted before any work. */
const FOR_EVERYONE = ['audit', 'rate-limits'];
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
    const found = offences(lib, ({ target }) => /^(?:app|workers|lib\/cli)\//.test(target ?? ''));
    expectNone(found, 'Imports point inwards. Move what is shared into a domain folder of lib/.');
  });

  it('pages, routes, workers and commands go through services', () => {
    const found = offences(
      outer,
      (imported) => isPrismaClient(imported) || isData(imported.target),
    );
    expectNone(found, 'Call a function of the service.ts, or add one.');
  });

  it('only data.ts, lib/db and lib/tenancy know Prisma', () => {
    const found = offences(
      lib.filter(({ path }) => {
        const isInfrastructure = KNOW_PRISMA.includes(domainOf(path) ?? '');
        return !isInfrastructure && !path.endsWith('/data.ts');
      }),
      (imported, file) => isPrismaClient(imported) && !hasOwnConnection(file, imported),
    );
    expectNone(found, 'Put the query into the data.ts of its folder and call that.');
  });

  it("only a service reads another domain's rows, in the transaction it has opened", () => {
    const found = offences(lib, ({ target, isType }, file) => {
      const other = domainOf(`${target}.ts`);
      const isOther = isData(target) && other !== domainOf(file.path);
      const isService = /(?:^|\/)service(?:\/|\.ts$)/.test(file.path);
      return isOther && !isType && !isService && !FOR_EVERYONE.includes(other ?? '');
    });
    expectNone(found, 'Let the service fetch the rows and hand them in.');
  });

  it('files do not go round in circles', () => {
    const edges = [...lib, ...outer].flatMap((file) =>
      file.imports.flatMap(({ target, isType }) =>
        target && !isType ? [{ from: file.path.replace(/\.\w+$/, ''), to: target }] : [],
      ),
    );
    expectNone(findCycles(edges), 'Move what both need into a third file.');
  });
});

/** LISTEN and BullMQ's backend hold connections of their own, outside of any transaction. */
function hasOwnConnection(file: SourceFile, imported: Import): boolean {
  return /^lib\/(?:live|queue)\//.test(file.path) && imported.specifier === 'pg';
}
