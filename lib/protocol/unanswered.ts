/**
 * In place of the provider's id, for a model request that ended without an answer: its figures are estimates. Apart from
 * the schemas, which pages don't load.
 */
export const UNANSWERED = 'unanswered';
