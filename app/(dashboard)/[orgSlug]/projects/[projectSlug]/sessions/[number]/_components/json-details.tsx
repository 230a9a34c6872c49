import { CodeBlock } from '@/app/_components/ui/code-block';

interface JsonDetailsProps {
  /** What a click opens: "As JSON". */
  summary: string;
  value: unknown;
  /** Of the copy button. */
  label: string;
}

/** The stored value, one click away from what the page derives from it. */
export function JsonDetails({ summary, value, label }: JsonDetailsProps) {
  return (
    <details>
      <summary className="link min-h-6 w-fit text-ui">{summary}</summary>
      <div className="mt-2">
        <JsonBlock value={value} label={label} />
      </div>
    </details>
  );
}

interface JsonBlockProps {
  value: unknown;
  /** What is copied: "report". */
  label: string;
}

export function JsonBlock({ value, label }: JsonBlockProps) {
  const text = JSON.stringify(value, null, 2);
  return (
    <CodeBlock label={label} value={text}>
      {text}
    </CodeBlock>
  );
}
