/** What the control plane keeps of conversations: types and closed sets. */
import { z } from 'zod';

export const SEAL_STORAGES = ['postgresql', 's3'] as const;
export const sealStorageSchema = z.enum(SEAL_STORAGES);
export type SealStorageName = z.infer<typeof sealStorageSchema>;

/** What a read has found wrong with a stored seal. */
export const SEAL_FAULTS = ['missing', 'damaged'] as const;
export type SealFault = (typeof SEAL_FAULTS)[number];

/** What a seal belongs to. Every field is authenticated, so a seal can't be opened under another's. */
export interface SealPlace {
  organizationId: string;
  projectId: string;
  sessionId: string;
  attemptId: string;
  sealId: string;
  keyId: string;
  /** Of the conversation's file: size, and SHA-256 in hex. */
  bytes: number;
  sha256: string;
}

/** A conversation's file as a runner sends it. */
export interface PackedConversation {
  bytes: number;
  sha256: string;
  /** The file, compressed with gzip. */
  packed: Buffer;
}
