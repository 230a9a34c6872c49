import type { PhrasingContent } from 'mdast';
import Link from 'next/link';
import { inlinesOf } from '../_pages/markdown';
import { docHref } from '../_pages/pages';

/** A paragraph of our own Markdown: code, bold, links. */
export function InlineText({ text }: { text: string }) {
  return <Inlines content={inlinesOf(text)} />;
}

export function Inlines({ content }: { content: readonly PhrasingContent[] }) {
  return content.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line never change places
    <InlinePart key={index} part={part} />
  ));
}

function InlinePart({ part }: { part: PhrasingContent }) {
  switch (part.type) {
    case 'text':
      return part.value;
    case 'inlineCode':
      return (
        <code className="rounded-[3px] bg-hover px-1 text-code [overflow-wrap:anywhere]">
          {part.value}
        </code>
      );
    case 'strong':
      return (
        <strong className="font-semibold">
          <Inlines content={part.children} />
        </strong>
      );
    case 'link':
      return <DocLink href={part.url} content={part.children} />;
    default:
      return null;
  }
}

function DocLink({ href, content }: { href: string; content: readonly PhrasingContent[] }) {
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
