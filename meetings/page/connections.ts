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
  const { prototype } = Original;
  const { setRemoteDescription, addIceCandidate, setConfiguration, getStats, close } = prototype;
  const own = new WeakSet<RTCPeerConnection>();
  const watched = new Set<RTCPeerConnection>();
  let made = 0;

  const limited = (configuration: RTCConfiguration | undefined): RTCConfiguration | undefined =>
    configuration?.iceServers === undefined
      ? configuration
      : { ...configuration, iceServers: media.servers(configuration.iceServers) };

  const watch = (connection: RTCPeerConnection): void => {
    made += 1;
    const number = made;
    watched.add(connection);
    connection.addEventListener('track', ({ track, streams, transceiver }) => {
      if (track.kind === 'audio')
        handlers.sound(`${number}/${transceiver.mid}/${track.id}`, connection, track, streams[0]);
    });
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState === 'closed') gone(connection);
    });
  };
  const gone = (connection: RTCPeerConnection): void => {
    if (watched.delete(connection)) handlers.closed(connection);
  };

  const Watched = new Proxy(Original, {
    construct(target, [configuration, ...rest], newTarget) {
      const connection = Reflect.construct(
        target,
        [limited(configuration as RTCConfiguration | undefined), ...rest],
        newTarget,
      ) as RTCPeerConnection;
      watch(connection);
      return connection;
    },
  });
  // Otherwise a page could take the original from any connection.
  Object.defineProperty(prototype, 'constructor', { value: Watched, configurable: true, writable: true });
  Object.assign(globalThis, { RTCPeerConnection: Watched, webkitRTCPeerConnection: Watched });

  type AnyFunction = (this: RTCPeerConnection, ...args: unknown[]) => unknown;
  const replace = (name: keyof RTCPeerConnection, body: AnyFunction): void => {
    Object.defineProperty(prototype, name, { value: body, configurable: true, writable: true });
  };
  replace('setRemoteDescription', function (description, ...rest) {
    const { type, sdp } = description as RTCSessionDescriptionInit;
    const given =
      own.has(this) || sdp === undefined ? description : { type, sdp: withStartBitrate(media.description(sdp)) };
    return (setRemoteDescription as AnyFunction).call(this, given, ...rest);
  });
  replace('addIceCandidate', function (candidate, ...rest) {
    const line = (candidate as RTCIceCandidateInit | null | undefined)?.candidate;
    if (!own.has(this) && line !== undefined && !media.candidate(line)) return Promise.resolve();
    return (addIceCandidate as AnyFunction).call(this, candidate, ...rest);
  });
  replace('setConfiguration', function (configuration) {
    return setConfiguration.call(this, limited(configuration as RTCConfiguration) ?? {});
  });
  replace('close', function () {
    close.call(this);
    gone(this);
  });

  const look = setInterval(() => {
    for (const connection of watched)
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

async function sends(stats: Promise<RTCStatsReport>): Promise<boolean> {
  let yes = false;
  (await stats.catch(() => new Map())).forEach((report: { type: string; bytesSent?: number }) => {
    yes ||= report.type === 'outbound-rtp' && (report.bytesSent ?? 0) > 0;
  });
  return yes;
}
