import type { TranscriptMessage } from '../report.ts';

/** A message that was spoken, as it stands in the transcript. */
export interface PublishedTurn {
  readonly correlationId: string;
  readonly message: TranscriptMessage;
  readonly publishedAt: number;
}
