/** Characters of the operator's own words that go along with every start. */
export const OPERATOR_TEXT_LIMIT = 4_000;

export const MAX_ASK_AGENTS = 5;
