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
  'Send a token with every request: `Authorization: Bearer twk_…`. Create one under Organization settings, API tokens.',
  `A token may send ${API_PER_TOKEN.points} requests per ${API_PER_TOKEN.perSeconds} seconds. Every response reports the limit: \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` (seconds). Above it, the API responds with 429 and \`Retry-After\`.`,
  'A POST with an `Idempotency-Key` runs once within 24 hours. A repeat gets the first response with `Idempotency-Replayed: true`, 422 if its body differs, and 409 while the first request is still running. If the server stopped before it answered, a repeat gets what the first request created.',
  'Lists return `data` and `nextCursor`; pass the latter as `cursor` to get the next page. Times are ISO 8601 in UTC, money is in US dollars, and the names of durations include their unit.',
  'Errors are RFC 9457 problem documents: `title`, `status`, `detail`, `code`, `requestId`, and `fields` with a message for each invalid field.',
];

export default async function ReferencePage({ searchParams }: ReferencePageProps) {
  const query = textParam(await searchParams, 'q') ?? '';
  return (
    <>
      <AllDocsLink />
      <h1 className="text-page">API reference</h1>
      <p className="max-w-prose">
        Generated from the routes of this installation, like its{' '}
        <a href="/api/v1/openapi.json" className="link" target="_blank" rel="noreferrer">
          OpenAPI 3.1 document
        </a>
        . To get started, see{' '}
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
