import type { Nodes, PhrasingContent, RootContent, Table } from 'mdast';
import { toString as textOf } from 'mdast-util-to-string';
import type { ReactNode } from 'react';
import { SafeText } from '@/app/_components/log/safe-text';
import { blocksOf } from '@/app/docs/_pages/markdown';
import { webAddress } from './web-address';

/**
 * What an agent answered, as quiet prose. It may have read text of anybody's, so its Markdown
 * draws, and never acts: no HTML, no pictures, and links only to the web, with their host in words.
 */
export function Answer({ markdown }: { markdown: string }) {
  return (
    <div className="flex max-w-prose flex-col gap-2.5 text-body [overflow-wrap:anywhere]">
      {drawAll(blocksOf(markdown), drawBlock)}
    </div>
  );
}

function drawAll<Node extends Nodes>(
  nodes: readonly Node[],
  draw: (node: Node) => ReactNode,
): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places
  return nodes.map((node, index) => <Part key={index}>{draw(node)}</Part>);
}

function Part({ children }: { children: ReactNode }) {
  return children;
}

function drawBlock(block: RootContent): ReactNode {
  switch (block.type) {
    case 'heading':
      // The page's outline is not the agent's to write.
      return <p className="mt-1 font-semibold">{drawAll(block.children, drawInline)}</p>;
    case 'paragraph':
      return <p className="whitespace-pre-line">{drawAll(block.children, drawInline)}</p>;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
        <pre tabIndex={0} className="overflow-x-auto rounded-control bg-sunken px-3 py-2 text-code">
          <SafeText text={block.value} />
        </pre>
      );
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul';
      return (
        <List
          start={block.ordered ? (block.start ?? 1) : undefined}
          className={`flex flex-col gap-1 pl-5 marker:text-text-3 ${block.ordered ? 'list-decimal' : 'list-disc'}`}
        >
          {drawAll(block.children, (item) => (
            <li>
              <div className="flex flex-col gap-1">{drawAll(item.children, drawBlock)}</div>
            </li>
          ))}
        </List>
      );
    }
    case 'blockquote':
      return (
        <blockquote className="flex flex-col gap-2 border-line border-l-2 pl-3 text-text-2">
          {drawAll(block.children, drawBlock)}
        </blockquote>
      );
    case 'table':
      return <TableView table={block} />;
    case 'thematicBreak':
      return <hr className="border-line" />;
    case 'definition':
      return null;
    default:
      return (
        <p>
          <SafeText text={textOf(block)} />
        </p>
      );
  }
}

function TableView({ table }: { table: Table }) {
  const [head, ...rows] = table.children;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
    <div tabIndex={0} className="overflow-x-auto">
      <table className="text-ui [&_:is(td,th)]:border-line [&_:is(td,th)]:border-b [&_:is(td,th)]:px-2 [&_:is(td,th)]:py-1 [&_:is(td,th)]:text-left [&_:is(td,th)]:align-top">
        <thead>
          <tr>
            {drawAll(head?.children ?? [], (cell) => (
              <th scope="col">{drawAll(cell.children, drawInline)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawAll(rows, (row) => (
            <tr>
              {drawAll(row.children, (cell) => (
                <td>{drawAll(cell.children, drawInline)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function drawInline(part: PhrasingContent): ReactNode {
  switch (part.type) {
    case 'text':
      return <SafeText text={part.value} />;
    case 'inlineCode':
      return (
        <code className="rounded-[3px] bg-hover px-1 text-code">
          <SafeText text={part.value} />
        </code>
      );
    case 'strong':
      return <strong className="font-semibold">{drawAll(part.children, drawInline)}</strong>;
    case 'emphasis':
      return <em>{drawAll(part.children, drawInline)}</em>;
    case 'break':
      return <br />;
    case 'link':
      return (
        <WebLink url={part.url} text={textOf(part)}>
          {drawAll(part.children, drawInline)}
        </WebLink>
      );
    default:
      return <SafeText text={textOf(part)} />;
  }
}

/** Only to the web, and never without saying where to. */
function WebLink({ url, text, children }: { url: string; text: string; children: ReactNode }) {
  const address = webAddress(url);
  if (!address) return children;
  return (
    <>
      <a href={address.href} rel="noopener noreferrer nofollow" target="_blank" className="link">
        {children}
      </a>
      {text.includes(address.host) ? null : <span className="text-text-3"> ({address.host})</span>}
    </>
  );
}
