import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../../runtime/log.ts';
import { engineNow } from '../../runtime/clock.ts';
import type { MediaConnection, MediaHandlers, Transport } from '../ports.ts';
import { FAREWELL_MS } from './peer-lifecycle.ts';
import type { IceCredentialMaker } from './ice/credential-maker.ts';
import { openIceFront } from './ice/ice-front.ts';
import { openSharedPorts, type PortOwner } from './ice/shared/shared-ports.ts';
import { SessionConnection } from './media-connection.ts';
import { FIRST_REPORTS_EVERY_MS } from './rtcp/report-schedule.ts';
import { DEFAULT_VIDEO_CODECS, type VideoCodec } from './sdp/choose-media.ts';

export interface TransportOptions {
  /** IPv4 or IPv6 addresses at which clients reach this machine, best first. A comma-separated text is also a list. */
  readonly publicAddress: string | readonly string[];
  /** See `Reachable`. @defaultValue none */
  readonly ownMachineAddresses?: readonly string[] | undefined;
  /** 0: any free port. */
  readonly udpPort: number;
  /** 0: any free port; null: none. Unset: the number of the UDP port, or none if another program has it. */
  readonly tcpPort?: number | null | undefined;
  /** The process that has the ports for several. They are used instead of the two above. @defaultValue there is none */
  readonly portOwner?: PortOwner | null | undefined;
  /** Makes the ICE credentials of all sessions. @defaultValue one with a key of its own */
  readonly iceCredentials?: IceCredentialMaker | undefined;
  /** The codecs to choose from, best first. @defaultValue `['h264', 'vp8']` */
  readonly videoCodecs?: readonly VideoCodec[];
  readonly log: Logger;
}

/**
 * Opens the one UDP port for the media of all sessions, and the TCP port for those whose networks block UDP.
 * @throws Error when an address is not an IP address or cannot be bound.
 */
export async function createTransport(options: TransportOptions): Promise<Transport> {
  const { log, videoCodecs = DEFAULT_VIDEO_CODECS } = options;
  const listed = typeof options.publicAddress === 'string' ? options.publicAddress.split(',') : options.publicAddress;
  const publicAddresses = listed.map((address) => address.trim()).filter((address) => address !== '');
  const { ownMachineAddresses, portOwner = null } = options;
  const reachable = { publicAddresses, ownMachineAddresses };
  const front = await openIceFront({
    ...reachable,
    port: options.udpPort,
    tcpPort: options.tcpPort,
    openPorts: portOwner === null ? undefined : (handlers) => openSharedPorts(reachable, portOwner, handlers),
    credentials: options.iceCredentials,
    log,
  });
  const connections = new Set<SessionConnection>();
  const reporting = setInterval(() => {
    const now = engineNow();
    for (const connection of connections) connection.report(now);
  }, FIRST_REPORTS_EVERY_MS);

  return {
    udpPort: front.port,
    tcpPort: front.tcpPort,
    paths() {
      const count = { udp: 0, tcp: 0 };
      for (const { protocol } of connections) if (protocol !== null) count[protocol] += 1;
      return { ...count, tcpConnections: front.tcpConnections };
    },
    open(sessionId: string, handlers: MediaHandlers, video = {}, past = null): MediaConnection {
      const connection: SessionConnection = new SessionConnection({
        sessionId,
        handlers,
        front,
        videoCodecs,
        bitrate: video,
        past,
        log,
        onClose: () => connections.delete(connection),
      });
      connections.add(connection);
      return connection;
    },
    async close() {
      clearInterval(reporting);
      for (const connection of connections) connection.close();
      await setTimeout(FAREWELL_MS);
      await front.close();
    },
  };
}
