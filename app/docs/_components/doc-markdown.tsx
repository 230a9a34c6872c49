import type { Element } from 'hast';
import type { ReactNode } from 'react';
import type { Components } from 'react-markdown';
import { textOf } from '@/app/_components/markdown/dialect';
import { Markdown } from '@/app/_components/markdown/markdown';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { Link } from '@/app/_components/ui/link';
import { docHref, docPicture } from '../_pages/pages';
import { anchorOf } from '../_pages/sections';
import { HeadingLink } from './heading-link';

/** On phones each row of a table is a card. */
const LOOKS =
  'max-w-none gap-4 [&_:is(ul,ol)]:max-w-prose [&_:is(ul,ol)]:gap-2 [&_li>div]:gap-2 [&_p]:max-w-prose [&_p:has(img)]:max-w-none [&_p]:text-pretty [&_p]:whitespace-normal [&_p]:break-words';

/** What `scripts/take-pictures.mjs` takes, in pixels; a test compares the files. */
export const PICTURE_SIZE = { width: 1280, height: 800 };

/** A page of docs/: its headings have anchors, its links lead within the product. */
export function DocMarkdown({ text }: { text: string }) {
  return (
    <Markdown
      text={text}
      components={OURS}
      linkTo={docHref}
      pictureFrom={docPicture}
      className={LOOKS}
    />
  );
}

/** Without one of these a line is the same before and after the parser. */
const MARKS = /[\\`*_~[\]<>&!|\r\n]/;

/** A paragraph of our own Markdown: code, bold, links. A page of the API reference has hundreds. */
export function DocLine({ text }: { text: string }) {
  if (!MARKS.test(text)) return text.trim();
  return <Markdown text={text} components={OURS} linkTo={docHref} isLine />;
}

interface PartProps {
  node?: Element;
  children?: ReactNode;
}

const OURS: Components = {
  h1: ({ node, children }: PartProps) => (
    <h1 id={anchorOf(textOf(node))} className="max-w-prose scroll-mt-18 text-page">
      {children}
    </h1>
  ),
  h2: (props) => (
    <Heading {...props} tag="h2" look="mt-4 border-line border-t pt-6" text="text-section" />
  ),
  h3: (props) => <Heading {...props} tag="h3" look="mt-2" text="text-card" />,
  pre: ({ node }: PartProps) => {
    const code = textOf(node).replace(/\n$/, '');
    return (
      <CodeBlock label="code" value={code} isWhole>
        {code}
      </CodeBlock>
    );
  },
  blockquote: ({ children }) => (
    <blockquote className="flex flex-col gap-2 rounded-control border border-line bg-surface px-4 py-3">
      {children}
    </blockquote>
  ),
  img: ({ src, alt }) =>
    typeof src === 'string' ? (
      // biome-ignore lint/performance/noImgElement: it has its final size and weight already
      <img
        src={src}
        alt={alt}
        {...PICTURE_SIZE}
        loading="lazy"
        decoding="async"
        className="h-auto w-full rounded-card border border-line"
      />
    ) : null,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
    <div tabIndex={0} className="overflow-x-auto rounded-card border border-line bg-surface">
      <table className="w-full text-ui [overflow-wrap:break-word] max-md:block [&_tbody]:max-md:block [&_td]:px-3 [&_td]:py-1.5 [&_td]:align-top [&_td]:max-md:p-0 [&_td:first-child]:md:min-w-40 [&_th]:h-8 [&_th]:px-3 [&_th]:text-left [&_th]:text-meta [&_th]:text-text-3 [&_thead]:max-md:sr-only [&_tbody_tr]:border-line [&_tbody_tr]:border-t [&_tbody_tr]:max-md:flex [&_tbody_tr]:max-md:flex-col [&_tbody_tr]:max-md:gap-1 [&_tbody_tr]:max-md:px-4 [&_tbody_tr]:max-md:py-2.5">
        {children}
      </table>
    </div>
  ),
  a: ({ href = '', children }) =>
    /^https?:/.test(href) ? (
      <a href={href} className="link" rel="noreferrer" target="_blank">
        {children}
      </a>
    ) : (
      <Link href={href} className="link">
        {children}
      </Link>
    ),
};

interface HeadingProps extends PartProps {
  tag: 'h2' | 'h3';
  /** Of the line that holds the heading and its link. */
  look: string;
  /** Of the heading. */
  text: string;
}

function Heading({ tag: Tag, node, look, text, children }: HeadingProps) {
  const heading = textOf(node);
  const anchor = anchorOf(heading);
  return (
    <div className={`group flex items-center gap-1 ${look}`}>
      <Tag id={anchor} className={`max-w-prose scroll-mt-18 max-md:scroll-mt-30 ${text}`}>
        {children}
      </Tag>
      <HeadingLink anchor={anchor} heading={heading} />
    </div>
  );
}
