import { CodeBlock } from '@/app/_components/ui/code-block';
import type { Block } from '@/lib/docs/markdown';
import { Inlines } from './inlines';

export function Markdown({ blocks }: { blocks: readonly Block[] }) {
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

function BlockView({ block }: { block: Block }) {
  switch (block.type) {
    case 'heading': {
      const level = block.level === 1 ? 1 : block.level === 2 ? 2 : 3;
      const Heading = `h${level}` as const;
      return (
        <Heading id={block.id} className={`max-w-prose scroll-mt-18 ${HEADINGS[level]}`}>
          <Inlines content={block.content} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p className="max-w-prose text-pretty break-words">
          <Inlines content={block.content} />
        </p>
      );
    case 'code':
      return (
        <CodeBlock label="code" value={block.text} isWhole className="max-w-200">
          {block.text}
        </CodeBlock>
      );
    case 'list':
      return <ListView list={block} />;
    case 'table':
      return <TableView table={block} />;
  }
}

function ListView({ list }: { list: Extract<Block, { type: 'list' }> }) {
  const List = list.isOrdered ? 'ol' : 'ul';
  return (
    <List
      className={`flex max-w-prose flex-col gap-2 pl-5 marker:text-text-3 ${list.isOrdered ? 'list-decimal' : 'list-disc'}`}
    >
      {list.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of one list never change places
        <li key={index}>
          <div className="flex flex-col gap-2">
            <Markdown blocks={item} />
          </div>
        </li>
      ))}
    </List>
  );
}

/** On phones each row is a card with its headers as labels. */
function TableView({ table }: { table: Extract<Block, { type: 'table' }> }) {
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface">
      <table className="w-full text-ui max-md:block">
        <thead className="max-md:sr-only">
          <tr>
            {table.head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
              <th key={index} scope="col" className="h-8 px-3 text-left text-meta text-text-3">
                <Inlines content={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-md:block">
          {table.rows.map((row, index) => (
            <tr
              // biome-ignore lint/suspicious/noArrayIndexKey: rows never change places
              key={index}
              className="border-line border-t max-md:flex max-md:flex-col max-md:gap-1 max-md:px-4 max-md:py-2.5"
            >
              {row.map((cell, column) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
                  key={column}
                  className="px-3 py-1.5 align-top [overflow-wrap:anywhere] max-md:p-0 md:first:min-w-40"
                >
                  <Inlines content={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
