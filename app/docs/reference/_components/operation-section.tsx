import { Link2 } from 'lucide-react';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { DocLine } from '@/app/docs/_components/doc-markdown';
import type { FieldRow } from '@/lib/api/reference/field-rows';
import type { Operation } from '@/lib/api/reference/operations';
import { MethodAndPath } from './method-mark';

/** Longer answers are folded: they are looked up, not read. */
const SHORT_ANSWER = 12;

export function OperationSection({ operation }: { operation: Operation }) {
  const { id, method, path, summary, scopes, parameters, body, answer, refusals } = operation;
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="flex scroll-mt-18 flex-col gap-3 border-line border-t pt-6"
    >
      <div className="flex flex-col gap-1">
        <h2 id={`${id}-title`} className="group flex items-center gap-2 text-section">
          <DocLine text={summary} />
          <a
            href={`#${id}`}
            aria-label={`Link to ${summary}`}
            className="inline-flex size-6 items-center justify-center text-text-3 hover:text-text"
          >
            <Link2 aria-hidden className="size-4" />
          </a>
        </h2>
        <MethodAndPath method={method} path={path} />
        <p className="text-text-2 text-ui">
          {scopes.length > 0 ? (
            <>
              Needs the scope <code className="text-code">{scopes.join(' or ')}</code>.
            </>
          ) : (
            'Needs no token.'
          )}
        </p>
      </div>
      <CodeBlock label="example" value={operation.curl} isWhole>
        {operation.curl}
      </CodeBlock>
      {parameters.length > 0 ? (
        <Part title="Parameters">
          <FieldTable label={`Parameters of ${summary}`} rows={parameters} isRequest />
        </Part>
      ) : null}
      {body.length > 0 ? (
        <Part title="Body">
          <FieldTable label={`Body of ${summary}`} rows={body} isRequest />
        </Part>
      ) : null}
      <Part title={`Answer ${answer.status}`}>
        <Answer operation={operation} />
      </Part>
      {refusals.length > 0 ? (
        <Part title="Refusals">
          <dl className="grid grid-cols-[3rem_minmax(0,1fr)] gap-y-1 text-ui">
            {refusals.map(({ status, when }) => (
              <div key={status} className="col-span-2 grid grid-cols-subgrid">
                <dt className="font-medium tabular-nums">{status}</dt>
                <dd className="text-text-2">
                  <DocLine text={when} />
                </dd>
              </div>
            ))}
          </dl>
        </Part>
      ) : null}
    </section>
  );
}

function Answer({ operation: { answer, summary } }: { operation: Operation }) {
  if (answer.fields.length === 0)
    return <p className="text-text-2 text-ui">Nothing in its body.</p>;
  const table = (
    <FieldTable label={`Answer of ${summary}`} rows={answer.fields} isRequest={false} />
  );
  if (answer.fields.length <= SHORT_ANSWER) return table;
  return (
    <details>
      <summary className="mb-2 min-h-6 cursor-pointer text-ui">
        {answer.fields.length} fields
      </summary>
      {table}
    </details>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="text-card">{title}</h3>
      {children}
    </div>
  );
}

interface FieldTableProps {
  label: string;
  rows: readonly (FieldRow & { place?: string })[];
  /** What is asked for may have to be there; what is answered is. */
  isRequest: boolean;
}

/** The looks stand on the list, since an answer may have some two hundred fields. */
const LOOKS =
  'divide-y divide-line overflow-hidden rounded-card border border-line bg-surface text-ui [&>div]:grid [&>div]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] [&>div]:gap-x-4 [&>div]:px-3 [&>div]:py-1.5 max-md:[&>div]:grid-cols-1 max-md:[&>div]:px-4 [&_b]:font-normal [&_b]:text-meta [&_b]:text-text-2 [&_dd]:min-w-0 [&_dt]:[overflow-wrap:anywhere] [&_dt_code]:text-code [&_i]:block [&_i]:text-text-3 [&_i]:not-italic [&_i]:[overflow-wrap:anywhere]';

function FieldTable({ label, rows, isRequest }: FieldTableProps) {
  return (
    <dl aria-label={label} className={LOOKS}>
      {rows.map((row) => (
        <div key={`${row.place ?? ''} ${row.path}`}>
          <dt>
            <code>{row.path}</code>{' '}
            <b>
              {[row.place, isRequest && row.isRequired ? 'required' : null]
                .filter(Boolean)
                .join(', ')}
            </b>
          </dt>
          <dd>
            <i>{row.type}</i> <DocLine text={row.doc} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
