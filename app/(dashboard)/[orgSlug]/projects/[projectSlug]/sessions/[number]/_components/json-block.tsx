import { CodeBlock } from '@/app/_components/ui/code-block';

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
