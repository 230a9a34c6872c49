import Link from 'next/link';
import { type Inline, inlinesOf } from '@/lib/docs/inlines';
import { docHref } from '@/lib/docs/pages';

/** A line of our own Markdown: code, bold, links. */
export function InlineText({ text }: { text: string }) {
  return <Inlines content={inlinesOf(text)} />;
}

export function Inlines({ content }: { content: readonly Inline[] }) {
  return content.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line never change places
    <InlinePart key={index} part={part} />
  ));
}

function InlinePart({ part }: { part: Inline }) {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'code':
      return (
        <code className="rounded-[3px] bg-hover px-1 text-code [overflow-wrap:anywhere]">
          {part.text}
        </code>
      );
    case 'strong':
      return (
        <strong className="font-semibold">
          <Inlines content={part.content} />
        </strong>
      );
    case 'link':
      return <DocLink href={part.href} content={part.content} />;
  }
}

function DocLink({ href, content }: { href: string; content: readonly Inline[] }) {
  const target = docHref(href);
  if (/^https?:/.test(target)) {
    return (
      <a href={target} className="link" rel="noreferrer" target="_blank">
        <Inlines content={content} />
      </a>
    );
  }
  return (
    <Link href={target} className="link">
      <Inlines content={content} />
    </Link>
  );
}
