/** A passage that may answer a question. */
export interface Candidate {
  readonly id: number;
  readonly documentId: string;
  readonly filename: string;
  readonly content: string;
  /** See `searchTerms`. */
  readonly terms: string;
  readonly chunkIndex: number;
  readonly metadata: Record<string, unknown>;
}
