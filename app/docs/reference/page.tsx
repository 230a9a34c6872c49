import type { Metadata } from 'next';
import { Link, TextLink } from '@/app/_components/ui/link';
import { API_PER_TOKEN } from '@/lib/platform/rate-limits';
import { AllDocsLink } from '../_components/all-docs-link';
import { DocLine } from '../_components/doc-markdown';
import { loadReference } from './openapi';
import { MethodAndPath } from './operation-section';

export const metadata: Metadata = { title: 'API reference' };

const CONVENTIONS = [
  'Send a token with every request: `Authorization: Bearer twk_…`. Create one under Organization settings, API tokens.',
  `A token may send ${API_PER_TOKEN.points} requests per ${API_PER_TOKEN.perSeconds} seconds. Every response reports the limit: \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` (seconds). Above it, the API responds with 429 and \`Retry-After\`.`,
  'A POST with an `Idempotency-Key` runs once within 24 hours. A repeat gets the first response with `Idempotency-Replayed: true`, 422 if its body differs, and 409 while the first request is still running. If the server stopped before it answered, a repeat gets what the first request created.',
  'Lists return `data` and `nextCursor`; pass the latter as `cursor` to get the next page. Times are ISO 8601 in UTC, money is in US dollars, and the names of durations include their unit.',
  'Errors are RFC 9457 problem documents: `title`, `status`, `detail`, `code`, `requestId`, and `fields` with a message for each invalid field.',
];

export default function ReferencePage() {
  return (
    <>
      <AllDocsLink />
      <h1 className="text-page">API reference</h1>
      <p className="max-w-prose">
        Generated from the routes of this installation, like its{' '}
        <a href="/api/v1/openapi.json" className="link" target="_blank" rel="noreferrer">
          OpenAPI 3.1 document
        </a>
        . To get started, see <TextLink href="/docs/api">API and command line</TextLink>.
      </p>
      <ul className="flex max-w-prose list-disc flex-col gap-2 pl-5 marker:text-text-3">
        {CONVENTIONS.map((text) => (
          <li key={text}>
            <DocLine text={text} />
          </li>
        ))}
      </ul>
      {loadReference().map(({ name, title, operations }) => (
        <section key={name} aria-labelledby={`of-${name}`} className="flex flex-col gap-2">
          <h2 id={`of-${name}`} className="text-section">
            <Link href={`/docs/reference/${name}`} className="hover:underline">
              {title}
            </Link>
          </h2>
          <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
            {operations.map((operation) => (
              <li
                key={operation.operationId}
                className="relative flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 px-4 py-2 hover:bg-hover"
              >
                <Link
                  href={`/docs/reference/${name}#${operation.operationId}`}
                  className="min-w-0 -outline-offset-2 after:absolute after:inset-0 after:content-['']"
                >
                  <MethodAndPath {...operation} />
                </Link>
                <span className="text-text-2 text-ui">{operation.summary}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
