/**
 * A Prisma datasource URL as pg takes it. Host, port and so on are given one by one, because a
 * connectionString would win over the name of a shadow database.
 * @param {string} url
 */
export function parseDatasource(url) {
  const parsed = new URL(url);
  const query = parsed.searchParams;
  const sslMode = query.get('sslmode');
  const usesTls = sslMode !== null && ['require', 'verify-ca', 'verify-full'].includes(sslMode);
  const schema = query.get('schema') ?? 'public';
  return {
    schema,
    config: {
      host: query.get('host') ?? decodeURIComponent(parsed.hostname),
      port: Number(parsed.port || 5432),
      user: decodeURIComponent(parsed.username),
      password: decodeURIComponent(parsed.password),
      database: decodeURIComponent(parsed.pathname.slice(1)),
      ssl: usesTls ? { rejectUnauthorized: sslMode !== 'require' } : undefined,
      options: schema === 'public' ? undefined : `-c search_path="${schema}"`,
    },
  };
}
