import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Link } from '@/app/_components/ui/link';
import { loadReference } from '../openapi';
import { OperationSection } from '../operation-section';

interface ResourcePageProps {
  params: Promise<{ resource: string }>;
}

async function resourceOf({ params }: ResourcePageProps) {
  const name = decodeURIComponent((await params).resource);
  return loadReference().find((resource) => resource.name === name);
}

export async function generateMetadata(props: ResourcePageProps): Promise<Metadata> {
  const resource = await resourceOf(props);
  return { title: resource ? `${resource.title} · API reference` : 'Nothing here' };
}

export default async function ResourcePage(props: ResourcePageProps) {
  const resource = await resourceOf(props);
  if (!resource) notFound();
  return (
    <>
      <Link href="/docs/reference" className="link self-start text-ui">
        All operations
      </Link>
      <h1 className="text-page">{resource.title}</h1>
      <ul className="flex flex-col gap-1 text-ui">
        {resource.operations.map(({ operationId: id, summary }) => (
          <li key={id}>
            <a href={`#${id}`} className="link inline-block min-h-6">
              {summary}
            </a>
          </li>
        ))}
      </ul>
      {resource.operations.map((operation) => (
        <OperationSection key={operation.operationId} operation={operation} />
      ))}
    </>
  );
}
