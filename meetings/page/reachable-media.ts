import ipaddr from 'ipaddr.js';
import { privateHosts } from '../../engine/net/private-hosts.ts';
import { isPublicAddress } from '../../engine/net/public-address.ts';

/**
 * Which addresses the peer connections of a meeting's page may send to. Media do not go through the proxy, and a page
 * that could name any address could knock at every door of the service's own network.
 */
export interface ReachableMedia {
  candidate(line: string): boolean;
  /** @returns the SDP without the candidates that may not be reached. */
  description(sdp: string): string;
  /** @returns the servers without the URLs that may not be reached. */
  servers(servers: readonly RTCIceServer[]): RTCIceServer[];
}

/** Where address and port stand in a candidate's line (RFC 8839, 5.1). */
const ADDRESS = 4;
const PORT = 5;
const SERVER_URL = /^(?:stuns?|turns?):(?:\/\/)?(\[[^\]]+\]|[^:?/]+)(?::(\d+))?/i;
const STUN_PORT = 3478;

/** @param allowed hosts of private networks, as `PARLEY_ALLOWED_PRIVATE_HOSTS`. */
export function reachableMedia(allowed: readonly string[]): ReachableMedia {
  const exceptions = privateHosts(allowed);
  const mayReach = (host: string, port: number): boolean => exceptions.allows(host, port) || isPublicAddress(host);

  const candidate = (line: string): boolean => {
    const words = line.trim().split(/\s+/);
    // An empty line says that there are no more.
    if (words.length <= PORT) return true;
    return mayReach(words[ADDRESS]!, Number(words[PORT]));
  };
  return {
    candidate,
    description: (sdp) =>
      sdp
        .split(/(?<=\n)/)
        .filter((line) => !line.startsWith('a=candidate:') || candidate(line.slice(2)))
        .join(''),
    servers: (servers) =>
      servers.flatMap((server) => {
        const urls = [server.urls].flat().filter((url) => {
          const found = SERVER_URL.exec(url);
          if (found === null) return false;
          const host = found[1]!.replace(/^\[|\]$/g, '');
          const port = Number(found[2] ?? STUN_PORT);
          // A name is looked up by the browser; the address behind it cannot be known here.
          return ipaddr.isValid(host) || host === 'localhost' ? mayReach(host, port) : true;
        });
        return urls.length === 0 ? [] : [{ ...server, urls }];
      }),
  };
}
