import type { ReactNode } from 'react';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { DocLine } from '../_components/doc-markdown';
import { HeadingLink } from '../_components/heading-link';
import { curlOf, type Field, fieldsOf, type Operation } from './openapi';

/** "POST /api/v1/projects/{projectId}/chains"; breaks at its slashes. */
export function MethodAndPath({ method, path }: Pick<Operation, 'method' | 'path'>) {
  return (
    <span className="inline-flex min-w-0 items-baseline gap-2 font-mono text-code">
      <span className="w-13 shrink-0 font-semibold">{method}</span>
      <span className="min-w-0 [overflow-wrap:anywhere]">{path}</span>
    </span>
  );
}

export function OperationSection({ operation }: { operation: Operation }) {
  const { operationId: id, summary, security, parameters = [], requestBody, responses } = operation;
  const scopes = security.flatMap(({ token }) => token ?? []);
  const body = requestBody?.content['application/json'];
  const [[status, done] = [], ...refusals] = Object.entries(responses);
  const answer = done?.content?.['application/json'];
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="flex scroll-mt-18 flex-col gap-3 border-line border-t pt-6"
    >
      <h2 id={`${id}-title`} className="group flex items-center gap-2 text-section">
        <DocLine text={summary} />
        <HeadingLink anchor={id} heading={summary} />
      </h2>
      <MethodAndPath {...operation} />
      <p className="text-text-2 text-ui">
        {scopes.length > 0 ? `Needs the scope ${scopes.join(' or ')}.` : 'Needs no token.'}
      </p>
      <CodeBlock label="example" value={curlOf(operation)} isWhole>
        {curlOf(operation)}
      </CodeBlock>
      <Fields
        title="Parameters"
        fields={parameters.flatMap(({ name, in: place, required, description, schema }) => {
          const properties = { [name]: { ...schema, ...(description ? { description } : {}) } };
          return fieldsOf({ properties, required: required ? [name] : [] }).map((field) => ({
            ...field,
            type: `${place}, ${field.type}`,
          }));
        })}
      />
      <Fields title="Body" fields={body ? fieldsOf(body.schema) : []} />
      <Fields title={`Answer ${status}`} fields={answer ? fieldsOf(answer.schema) : []} isAnswer />
      <dl
        aria-label="Refusals"
        className="grid grid-cols-[4rem_minmax(0,1fr)] gap-y-1 text-text-2 text-ui"
      >
        {refusals.map(([code, { description }]) => (
          <div key={code} className="contents">
            <dt className="font-medium text-text">{code}</dt>
            <dd>
              <DocLine text={description} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The looks stand on the list, since an answer may have some two hundred fields. */
const LOOKS =
  'divide-y divide-line overflow-hidden rounded-card border border-line bg-surface text-ui [&>div]:grid [&>div]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] [&>div]:gap-x-4 [&>div]:px-3 [&>div]:py-1.5 max-md:[&>div]:grid-cols-1 max-md:[&>div]:px-4 [&_b]:font-normal [&_b]:text-meta [&_b]:text-text-2 [&_dd]:min-w-0 [&_dt]:[overflow-wrap:anywhere] [&_dt_code]:text-code [&_i]:block [&_i]:text-text-3 [&_i]:not-italic [&_i]:[overflow-wrap:anywhere]';

interface FieldsProps {
  title: ReactNode;
  fields: readonly Field[];
  /** What is answered is there, and is looked up rather than read: it is folded. */
  isAnswer?: boolean;
}

function Fields({ title, fields, isAnswer = false }: FieldsProps) {
  if (fields.length === 0) return isAnswer ? <h3 className="text-card">{title}</h3> : null;
  const list = (
    <dl className={LOOKS}>
      {fields.map(({ path, type, isRequired, doc }) => (
        <div key={path}>
          <dt>
            <code>{path}</code> <b>{isRequired && !isAnswer ? 'required' : null}</b>
          </dt>
          <dd>
            <i>{type}</i> <DocLine text={doc} />
          </dd>
        </div>
      ))}
    </dl>
  );
  if (!isAnswer)
    return (
      <>
        <h3 className="text-card">{title}</h3>
        {list}
      </>
    );
  return (
    <details>
      <summary className="mb-2 min-h-6 cursor-pointer text-card">{title}</summary>
      {list}
    </details>
  );
}
