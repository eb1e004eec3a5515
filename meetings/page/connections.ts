import type { ReachableMedia } from './reachable-media.ts';
import { withStartBitrate } from './start-bitrate.ts';

/** ms between two looks whether the page sends. */
const LOOK_MS = 1_000;

export interface ConnectionHandlers {
  /** Somebody else's sound. @param key unique among all connections of the page. */
  sound(key: string, connection: RTCPeerConnection, track: MediaStreamTrack, stream: MediaStream | undefined): void;
  closed(connection: RTCPeerConnection): void;
  /** Something is sent to the meeting. Called once. */
  sends(): void;
}

/** Makes connections that the page does not see. */
export type PlainConnection = (configuration: RTCConfiguration) => RTCPeerConnection;

/**
 * Watches the peer connections that the page makes: what they receive is told, where they send to is limited, and video
 * starts with a good bitrate.
 * @returns how the script itself makes connections.
 */
export function watchConnections(media: ReachableMedia, handlers: ConnectionHandlers): PlainConnection {
  const Original = globalThis.RTCPeerConnection;
  const own = new WeakSet<RTCPeerConnection>();
  const { getStats } = Original.prototype;
  const watched = new WatchedConnections(handlers);
  replaceConstructor(Original, media, (connection) => watched.add(connection));
  replaceMethods(Original.prototype, media, {
    isOwn: (connection) => own.has(connection),
    closed: (connection) => watched.remove(connection),
  });

  const look = setInterval(() => {
    for (const connection of watched.all())
      void sends(getStats.call(connection) as Promise<RTCStatsReport>).then((yes) => {
        if (!yes) return;
        clearInterval(look);
        handlers.sends();
      });
  }, LOOK_MS);

  return (configuration) => {
    const connection = new Original(configuration);
    own.add(connection);
    return connection;
  };
}

/** The connections that the page has made and not closed. */
class WatchedConnections {
  readonly #handlers: ConnectionHandlers;
  readonly #watched = new Set<RTCPeerConnection>();
  #made = 0;

  constructor(handlers: ConnectionHandlers) {
    this.#handlers = handlers;
  }

  all(): Iterable<RTCPeerConnection> {
    return this.#watched;
  }

  add(connection: RTCPeerConnection): void {
    this.#made += 1;
    const number = this.#made;
    this.#watched.add(connection);
    connection.addEventListener('track', ({ track, streams, transceiver }) => {
      if (track.kind === 'audio')
        this.#handlers.sound(`${number}/${transceiver.mid}/${track.id}`, connection, track, streams[0]);
    });
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState === 'closed') this.remove(connection);
    });
  }

  remove(connection: RTCPeerConnection): void {
    if (this.#watched.delete(connection)) this.#handlers.closed(connection);
  }
}

/** Where the page may send to, in place of what it asks for. */
function limited(media: ReachableMedia, configuration: RTCConfiguration | undefined): RTCConfiguration | undefined {
  return configuration?.iceServers === undefined
    ? configuration
    : { ...configuration, iceServers: media.servers(configuration.iceServers) };
}

function replaceConstructor(
  Original: typeof RTCPeerConnection,
  media: ReachableMedia,
  made: (connection: RTCPeerConnection) => void,
): void {
  const Watched = new Proxy(Original, {
    construct(target, [configuration, ...rest], newTarget) {
      const given = limited(media, configuration as RTCConfiguration | undefined);
      const connection = Reflect.construct(target, [given, ...rest], newTarget) as RTCPeerConnection;
      made(connection);
      return connection;
    },
  });
  // Otherwise a page could take the original from any connection.
  Object.defineProperty(Original.prototype, 'constructor', { value: Watched, configurable: true, writable: true });
  Object.assign(globalThis, { RTCPeerConnection: Watched, webkitRTCPeerConnection: Watched });
}

type AnyFunction = (this: RTCPeerConnection, ...args: unknown[]) => unknown;

/** @param connections.isOwn whether the script itself has made it: it is not limited. */
function replaceMethods(
  prototype: RTCPeerConnection,
  media: ReachableMedia,
  connections: {
    readonly isOwn: (connection: RTCPeerConnection) => boolean;
    readonly closed: (connection: RTCPeerConnection) => void;
  },
): void {
  const { setRemoteDescription, addIceCandidate, setConfiguration, close } = prototype;
  const { isOwn, closed } = connections;
  const replace = (name: keyof RTCPeerConnection, body: AnyFunction): void => {
    Object.defineProperty(prototype, name, { value: body, configurable: true, writable: true });
  };
  replace('setRemoteDescription', function (description, ...rest) {
    const { type, sdp } = description as RTCSessionDescriptionInit;
    const given =
      isOwn(this) || sdp === undefined ? description : { type, sdp: withStartBitrate(media.description(sdp)) };
    return (setRemoteDescription as AnyFunction).call(this, given, ...rest);
  });
  replace('addIceCandidate', function (candidate, ...rest) {
    const line = (candidate as RTCIceCandidateInit | null | undefined)?.candidate;
    if (!isOwn(this) && line !== undefined && !media.candidate(line)) return Promise.resolve();
    return (addIceCandidate as AnyFunction).call(this, candidate, ...rest);
  });
  replace('setConfiguration', function (configuration) {
    return setConfiguration.call(this, limited(media, configuration as RTCConfiguration) ?? {});
  });
  replace('close', function () {
    close.call(this);
    closed(this);
  });
}

async function sends(stats: Promise<RTCStatsReport>): Promise<boolean> {
  let yes = false;
  (await stats.catch(() => new Map())).forEach((report: { type: string; bytesSent?: number }) => {
    yes ||= report.type === 'outbound-rtp' && (report.bytesSent ?? 0) > 0;
  });
  return yes;
}
