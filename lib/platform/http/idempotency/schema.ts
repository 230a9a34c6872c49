/** One POST that may be repeated without being done twice. */
export interface IdempotentRequest {
  tokenId: string;
  /** Method and path, ids included. */
  route: string;
  key: string;
  /** SHA-256 of the body, hex. */
  bodyHash: string;
}

export interface StoredAnswer {
  status: number;
  body: unknown;
}
