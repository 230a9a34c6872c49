import { type ComponentProps, memo } from 'react';
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown';
import { cn } from '../ui/cn';
import { HiddenMark, RedactionChip, SafeText } from '../ui/safe-text';
import { LINE_PLUGINS, showHidden, TEXT_PLUGINS, textOf } from './dialect';

interface MarkdownProps {
  text: string;
  className?: string;
  /** One paragraph without a box of its own. */
  isLine?: boolean;
  /** Elements that are drawn differently because the text is our own. */
  components?: Components;
  /** Where a link leads; null for nowhere. */
  linkTo?: (url: string) => string | null;
  /** Where a picture is loaded from; by default none is. */
  pictureFrom?: (url: string) => string | null;
}

const REHYPE_PLUGINS = [showHidden];

const nowhere = () => null;

/**
 * The product's renderer for Markdown. By default the text is an agent's, which may have read
 * anybody's, so it draws and never acts: no HTML, no images, no headings in the page's outline, and
 * links only to the web, with their host in words. It renders on the server and in the browser,
 * where LazyMarkdown loads it.
 */
export const Markdown = memo(function Markdown(props: MarkdownProps) {
  const { text, className, isLine = false, components } = props;
  const { linkTo = webAddress, pictureFrom = nowhere } = props;
  const content = (
    <ReactMarkdown
      remarkPlugins={isLine ? LINE_PLUGINS : TEXT_PLUGINS}
      rehypePlugins={REHYPE_PLUGINS}
      components={{ ...COMPONENTS, ...components, ...(isLine ? LINE : null) }}
      urlTransform={(url, key) => (key === 'href' ? linkTo(url) : pictureFrom(url))}
    >
      {text}
    </ReactMarkdown>
  );
  if (isLine) return content;
  return (
    <div
      className={cn(
        'flex max-w-prose flex-col gap-2.5 text-body [overflow-wrap:anywhere]',
        className,
      )}
    >
      {content}
    </div>
  );
});

type PartProps<Tag extends 'a' | 'code' | 'ol' | 'p' | 'td'> = ComponentProps<Tag> & ExtraProps;

const COMPONENTS: Components = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  p: ({ children }) => <p className="whitespace-pre-line">{children}</p>,
  ul: ({ children }) => (
    <ul className="flex list-disc flex-col gap-1 pl-5 marker:text-text-3">{children}</ul>
  ),
  ol: ({ children, start }) => (
    <ol start={start} className="flex list-decimal flex-col gap-1 pl-5 marker:text-text-3">
      {children}
    </ol>
  ),
  li: ({ children }) => (
    <li>
      <div className="flex flex-col gap-1">{children}</div>
    </li>
  ),
  blockquote: ({ children }) => (
    <blockquote className="flex flex-col gap-2 border-line border-l-2 pl-3 text-text-2">
      {children}
    </blockquote>
  ),
  hr: () => <hr className="border-line" />,
  pre: ({ children }) => (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-control bg-sunken px-3 py-2 text-code [&>code]:bg-transparent [&>code]:p-0"
    >
      {children}
    </pre>
  ),
  code: ({ children }) => (
    <code className="rounded-[3px] bg-hover px-1 text-code [overflow-wrap:anywhere]">
      {children}
    </code>
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
    <div tabIndex={0} className="overflow-x-auto">
      <table className="text-ui [overflow-wrap:normal] [&_code]:[overflow-wrap:normal] [&_:is(td,th)]:border-line [&_:is(td,th)]:border-b [&_:is(td,th)]:px-2 [&_:is(td,th)]:py-1 [&_:is(td,th)]:text-left [&_:is(td,th)]:align-top">
        {children}
      </table>
    </div>
  ),
  th: ({ children }) => <th scope="col">{children}</th>,
  td: ({ children }) => <td>{children}</td>,
  strong: ({ children }) => <strong className="font-semibold">{children}</strong>,
  a: WebLink,
  img: ({ alt }) => <SafeText text={alt ?? ''} />,
  mark: ({ children, title }) => <HiddenMark name={title}>{children}</HiddenMark>,
  samp: ({ children }) => <RedactionChip>{children}</RedactionChip>,
};

const LINE: Components = { p: ({ children }) => children };

/** The page's outline is not the agent's to write. */
function Heading({ children }: PartProps<'p'>) {
  return <p className="mt-1 font-semibold">{children}</p>;
}

/** A link never leads anywhere without saying where. */
function WebLink({ href, node, children }: PartProps<'a'>) {
  if (!href) return children;
  const { host } = new URL(href);
  return (
    <>
      <a href={href} rel="noopener noreferrer nofollow" target="_blank" className="link">
        {children}
      </a>
      {textOf(node).includes(host) ? null : <span className="text-text-3"> ({host})</span>}
    </>
  );
}

/** An address that a browser may follow; null for `javascript:`, `data:`, relative ones and the rest. */
function webAddress(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  // `https://shop.example@evil.example/` reads like another host.
  return username === '' && password === '' ? href : null;
}
