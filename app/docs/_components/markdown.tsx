import type { List, RootContent, Table } from 'mdast';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { anchorOf } from '../_pages/markdown';
import { Inlines } from './inlines';

/** The blocks in which docs/ is written; a test holds it to them. */
export function Markdown({ blocks }: { blocks: readonly RootContent[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one page never change places
    <BlockView key={index} block={block} />
  ));
}

const HEADINGS = {
  1: 'text-page',
  2: 'mt-4 border-line border-t pt-6 text-section',
  3: 'mt-2 text-card',
} as const;

function BlockView({ block }: { block: RootContent }) {
  switch (block.type) {
    case 'heading': {
      const level = block.depth === 1 ? 1 : block.depth === 2 ? 2 : 3;
      const Heading = `h${level}` as const;
      return (
        <Heading id={anchorOf(block)} className={`max-w-prose scroll-mt-18 ${HEADINGS[level]}`}>
          <Inlines content={block.children} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p className="max-w-prose text-pretty break-words">
          <Inlines content={block.children} />
        </p>
      );
    case 'code':
      return (
        <CodeBlock label="code" value={block.value} isWhole className="max-w-200">
          {block.value}
        </CodeBlock>
      );
    case 'list':
      return <ListView list={block} />;
    case 'table':
      return <TableView table={block} />;
    default:
      return null;
  }
}

function ListView({ list }: { list: List }) {
  const Tag = list.ordered ? 'ol' : 'ul';
  return (
    <Tag
      className={`flex max-w-prose flex-col gap-2 pl-5 marker:text-text-3 ${list.ordered ? 'list-decimal' : 'list-disc'}`}
    >
      {list.children.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of one list never change places
        <li key={index}>
          <div className="flex flex-col gap-2">
            <Markdown blocks={item.children} />
          </div>
        </li>
      ))}
    </Tag>
  );
}

/** On phones each row is a card with its headers as labels. */
function TableView({ table }: { table: Table }) {
  const [head, ...rows] = table.children;
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface">
      <table className="w-full text-ui max-md:block">
        <thead className="max-md:sr-only">
          <tr>
            {head?.children.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
              <th key={index} scope="col" className="h-8 px-3 text-left text-meta text-text-3">
                <Inlines content={cell.children} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-md:block">
          {rows.map((row, index) => (
            <tr
              // biome-ignore lint/suspicious/noArrayIndexKey: rows never change places
              key={index}
              className="border-line border-t max-md:flex max-md:flex-col max-md:gap-1 max-md:px-4 max-md:py-2.5"
            >
              {row.children.map((cell, column) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
                  key={column}
                  className="px-3 py-1.5 align-top [overflow-wrap:anywhere] max-md:p-0 md:first:min-w-40"
                >
                  <Inlines content={cell.children} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
