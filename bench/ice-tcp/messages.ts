/** Messages between the bench, which plays the clients, and the process whose transport is measured. */
export type ToFrontProcess =
  | { readonly type: 'offer'; readonly session: number; readonly sdp: string }
  /** Count CPU time from now on. */
  | { readonly type: 'measure' }
  | { readonly type: 'report' }
  /** End all sessions. */
  | { readonly type: 'hang up' };

export type FromFrontProcess =
  | { readonly type: 'ready'; readonly udpPort: number; readonly tcpPort: number }
  | { readonly type: 'answer'; readonly session: number; readonly sdp: string }
  | {
      readonly type: 'report';
      readonly cpuMs: number;
      readonly seconds: number;
      /** Frames of one session, sent since `measure`. */
      readonly frames: number;
      readonly paths: { readonly udp: number; readonly tcp: number };
    };

/** The last bytes of each frame and of each piece of sound: when it was sent, engine time. */
export const TIME_BYTES = 8;
