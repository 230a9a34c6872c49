import { JsonBlock } from './json-block';

interface JsonDetailsProps {
  /** What a click opens: "As JSON". */
  summary: string;
  value: unknown;
  /** Of the copy button. */
  label: string;
}

/** The stored value itself, one click away from what was made of it. */
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
