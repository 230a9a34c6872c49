import type { Metadata } from 'next';
import { textParam } from '@/app/_components/lists/list-params';
import { Link } from '@/app/_components/ui/link';
import { listedOf } from '@/lib/api/reference/search';
import { API_PER_TOKEN } from '@/lib/platform/rate-limits';
import { AllDocsLink } from '../_components/all-docs-link';
import { DocLine } from '../_components/doc-markdown';
import { loadReference } from './_components/load-reference';
import { OperationSearch } from './_components/operation-search';

export const metadata: Metadata = { title: 'API reference' };

interface ReferencePageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const CONVENTIONS = [
  'Send a token with every request: `Authorization: Bearer twk_…`. Make one under Organization settings, API tokens.',
  `A token may make ${API_PER_TOKEN.points} requests in ${API_PER_TOKEN.perSeconds} seconds. Every response carries the current state: \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` (seconds). Above that limit the API responds with 429 and \`Retry-After\`.`,
  'A POST with `Idempotency-Key` is done once within 24 hours. A repeat gets the first answer with `Idempotency-Replayed: true`; another body under the same key 422; while the first still runs 409.',
  'Lists answer `data` and `nextCursor`; pass it as `cursor`. Times are ISO 8601 in UTC, money is US dollars, durations have their unit in the name.',
  'Errors are RFC 9457 problem documents: `title`, `status`, `detail`, `code`, `requestId`, and `fields` for each wrong field.',
];

export default async function ReferencePage({ searchParams }: ReferencePageProps) {
  const query = textParam(await searchParams, 'q') ?? '';
  return (
    <>
      <AllDocsLink />
      <h1 className="text-page">API reference</h1>
      <p className="max-w-prose">
        Made from the routes of this installation, as is its{' '}
        <a href="/api/v1/openapi.json" className="link" target="_blank" rel="noreferrer">
          OpenAPI 3.1 document
        </a>
        . How to begin is under{' '}
        <Link href="/docs/api" className="link">
          API and command line
        </Link>
        .
      </p>
      <ul className="flex max-w-prose list-disc flex-col gap-2 pl-5 marker:text-text-3">
        {CONVENTIONS.map((text) => (
          <li key={text}>
            <DocLine text={text} />
          </li>
        ))}
      </ul>
      <OperationSearch resources={listedOf(loadReference())} initial={query} />
    </>
  );
}
