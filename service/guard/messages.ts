import type { MediaPorts } from '../../engine/transport/ice/refusing-ports.ts';

/** What a node tells its guard. */
export type FromNode =
  /** It is about to bind its ports, and waits for `portsFree`. */
  | { readonly kind: 'wantsPorts' }
  | { readonly kind: 'hasPorts'; readonly ports: MediaPorts }
  /** It serves. */
  | { readonly kind: 'ready' };

/** What it is told. */
export type ToNode = { readonly kind: 'portsFree' } | { readonly kind: 'drain' } | { readonly kind: 'stop' };
