import type { FoundModels } from '../engine/index.ts';
import type { AvatarPrerenderer } from './parts/prerender-avatars.ts';
import type { ModelLibrary } from './parts/model-library.ts';

/** A running service, in one process or several. */
export interface OpenService {
  /** Its URL on this machine. */
  readonly url: string;
  /** The API key that the first start without `PARLEY_API_KEY` has created; null at all other starts. */
  readonly firstKey: string | null;
  /** Why personas cannot go into meetings; null: they can. */
  readonly meetingsUnavailable: string | null;
  /** Installed neural models. */
  readonly local: FoundModels;
  /** Downloads more models. Null: the operator wants none, or another process does it. */
  readonly library: ModelLibrary | null;
  /** Not started yet. */
  readonly faces: AvatarPrerenderer;
  /** Number of engines. If there are several, each has its own process. */
  readonly engines: number;
  /** Accepts no further sessions, also none from other processes. Live sessions continue. */
  drain(): Promise<void>;
  close(): Promise<void>;
}
