import type { MediaPorts } from '../../engine/transport/ice/refusing-ports.ts';

/** Messages of a node to its guard. */
export type FromNode =
  /** The node is about to bind its ports, and waits for `portsFree`. */
  | { readonly kind: 'wantsPorts' }
  | { readonly kind: 'hasPorts'; readonly ports: MediaPorts }
  /** The node is ready. */
  | { readonly kind: 'ready' };

/** Messages of the guard to its node. */
export type ToNode = { readonly kind: 'portsFree' } | { readonly kind: 'drain' } | { readonly kind: 'stop' };
