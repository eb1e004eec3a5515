import type { FoundModels } from '../engine/index.ts';
import type { FacesAheadOfTime } from './parts/faces-ahead.ts';
import type { ModelLibrary } from './parts/model-library.ts';

/** A service that listens, whatever processes it is made of. */
export interface OpenService {
  /** Where this machine reaches it. */
  readonly url: string;
  /** The API key that was just made, at the first start without `PARLEY_API_KEY`; never again. */
  readonly firstKey: string | null;
  /** Why personas cannot go into meetings; null: they can. */
  readonly noMeetings: string | null;
  /** Neural models that are here. */
  readonly local: FoundModels;
  /** Fetches more of them; null: the operator wants none, or another process has it. */
  readonly library: ModelLibrary | null;
  /** Not started yet. */
  readonly faces: FacesAheadOfTime;
  /** How many engines it has: more than one are processes of their own. */
  readonly engines: number;
  /** No further session is taken, here or from other processes. Those that are live go on. */
  drain(): Promise<void>;
  close(): Promise<void>;
}
