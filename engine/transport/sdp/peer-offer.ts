import type { InnerLink } from '../ice/front-session.ts';
import { MAX_MESSAGE_BYTES, SCTP_PORT } from './write-answer.ts';
import type { DtlsParameters } from './parse-offer.ts';

/** Mids between the front and the peer; clients never see them. */
export const PEER_MEDIA_MID = 'media';
const PEER_CHANNEL_MID = 'channel';

/**
 * The offer that the native peer gets in place of the client's. Whatever a client writes, the peer sees the same few
 * lines. The offer has one media section, which carries all RTP and RTCP; our code tells payload types and SSRCs apart.
 * The DTLS parameters are the client's own. ICE runs over loopback between the front and the peer.
 */
export function peerOffer(options: {
  dtls: DtlsParameters;
  sctpPort: number | null;
  payloadTypes: readonly number[];
  link: InnerLink;
}): string {
  const { dtls, link } = options;
  const transport = [
    'c=IN IP4 127.0.0.1',
    `a=ice-ufrag:${link.credentials.ufrag}`,
    `a=ice-pwd:${link.credentials.password}`,
    `a=fingerprint:${dtls.fingerprint}`,
    `a=setup:${dtls.setup}`,
  ];
  const candidate = `a=candidate:1 1 UDP 2130706431 127.0.0.1 ${link.frontPort} typ host`;
  const media = options.payloadTypes.length > 0;
  const channel = options.sctpPort !== null;
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    `a=group:BUNDLE ${[...(media ? [PEER_MEDIA_MID] : []), ...(channel ? [PEER_CHANNEL_MID] : [])].join(' ')}`,
    'a=ice-lite',
    ...(media
      ? [
          `m=video 9 UDP/TLS/RTP/SAVPF ${options.payloadTypes.join(' ')}`,
          ...transport,
          candidate,
          `a=mid:${PEER_MEDIA_MID}`,
          'a=sendrecv',
          'a=rtcp-mux',
          ...options.payloadTypes.map((payloadType) => `a=rtpmap:${payloadType} VP8/90000`),
        ]
      : []),
    ...(channel
      ? [
          'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
          ...transport,
          ...(media ? [] : [candidate]),
          `a=mid:${PEER_CHANNEL_MID}`,
          `a=sctp-port:${options.sctpPort ?? SCTP_PORT}`,
          `a=max-message-size:${MAX_MESSAGE_BYTES}`,
        ]
      : []),
  ];
  return `${lines.join('\r\n')}\r\n`;
}
