/** Under which the ledger books the turns of conversations: they belong to no tier of a chain. */
export const ASK_TIER = 0;
