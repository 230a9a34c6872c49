/** Long names with long values, each value below its name. */
export function ValueList({ values }: { values: readonly (readonly [string, string])[] }) {
  return (
    <dl className="flex flex-col gap-2">
      {values.map(([name, value]) => (
        <div key={name}>
          <dt className="text-meta text-text-3 [overflow-wrap:anywhere]">{name}</dt>
          <dd className="text-code [overflow-wrap:anywhere]">
            <code>{value === '' ? '(empty)' : value}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
