/** What the script in a meeting's page and the process that drives the page tell each other. */

export interface PageSettings {
  /** Name of the function by which the page calls the process. The script takes it and removes it. */
  readonly binding: string;
  /** With " (AI)". It is drawn on the picture that the others see before the session starts. */
  readonly displayName: string;
  /** The persona's name in this meeting, which may take only some letters. */
  readonly ownName: string;
  /** Hosts of private networks that peer connections may reach, as `PARLEY_ALLOWED_PRIVATE_HOSTS`. */
  readonly allowedPrivateHosts: readonly string[];
}

export interface PageIceServer {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

export interface RoomParticipant {
  readonly id: string;
  readonly name: string;
}

/** From the page. Each call but `next` is answered with null. */
export type FromPage =
  /** Asks for the next message to this document. The answer waits until there is one. */
  | { readonly type: 'next' }
  /** The page has taken the camera or the microphone. The session is held in this document. */
  | { readonly type: 'media_taken' }
  /** The page sends audio or video to the meeting. */
  | { readonly type: 'media_sent' }
  | { readonly type: 'room'; readonly participants: readonly RoomParticipant[] }
  | { readonly type: 'signal'; readonly actionType: 'offer' | 'icecandidate'; readonly payload: unknown }
  /** The session's connection has broken for good. */
  | { readonly type: 'session_lost' };

/** To the page. */
export type ToPage =
  | { readonly type: 'session'; readonly sessionId: string; readonly iceServers: readonly PageIceServer[] }
  | { readonly type: 'signal'; readonly actionType: string; readonly payload: unknown };

/** Somebody else's sound, as one of the page's peer connections receives it. */
export interface SoundSource {
  /** Track ids are not unique among peer connections: this is. */
  readonly key: string;
  readonly connection: object;
  readonly trackId: string;
  readonly streamId: string;
}

/** What a provider's page tells about the meeting. */
export interface RoomReading {
  /** The others. */
  readonly participants: readonly {
    readonly id: string;
    readonly name: string;
    /** Keys of the sources that are this participant's. */
    readonly sources: readonly string[];
    /** As the page shows it; null: it does not, or the sources tell it better. */
    readonly speaking: boolean | null;
  }[];
}

/**
 * Reads the page that it runs in. It is copied into the page as text, so it may use only its arguments and the page's
 * globals. @param ownName the persona's, as the page shows it. @returns null when the page is not in a meeting.
 */
export type RoomReader = (sources: readonly SoundSource[], ownName: string) => RoomReading | null;
