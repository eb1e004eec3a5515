import type { AvatarSpec } from './avatar-spec.ts';
import { amara } from './cast/amara.ts';
import { arthur } from './cast/arthur.ts';
import { elena } from './cast/elena.ts';
import { ingrid } from './cast/ingrid.ts';
import { leo } from './cast/leo.ts';
import { marcus } from './cast/marcus.ts';
import { mei } from './cast/mei.ts';

/** The avatars that come with Parley. The first one is the default. */
export const CAST: readonly AvatarSpec[] = [elena, marcus, mei, arthur, amara, leo, ingrid];

export interface CatalogueEntry {
  readonly engineKey: string;
  readonly displayName: string;
  readonly variantName: string;
  readonly description: string;
  /** Lower case. */
  readonly tags: readonly string[];
  readonly renderStyle: 'illustrated';
  /** Public names of the avatar models that this avatar can be shown with. */
  readonly models: readonly string[];
}

const ALL_MODELS = ['cara-2', 'cara-3', 'cara-4', 'cara-4-latest'] as const;

/** What the control plane lists. */
export const AVATAR_CATALOGUE: readonly CatalogueEntry[] = CAST.map((spec) => ({
  engineKey: spec.engineKey,
  displayName: spec.displayName,
  variantName: spec.variantName,
  description: spec.description,
  tags: spec.tags,
  renderStyle: 'illustrated',
  models: ALL_MODELS,
}));
