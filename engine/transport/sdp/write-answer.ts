import { hostPriority } from '../ice/candidate-priority.ts';
import type { IceCredentials } from '../ice/credentials.ts';
import type { Reachable } from '../ice/local-addresses.ts';
import type { Offer, OfferedSection } from './parse-offer.ts';
import {
  PLAYOUT_DELAY_URI,
  TRANSPORT_SEQUENCE_URI,
  type ChosenAudio,
  type ChosenMedia,
  type ChosenVideo,
} from './choose-media.ts';

/** What the answers of one connection share, however often the client restarts ICE. */
export interface AnswerIdentity {
  /** `o=` session id: decimal digits. */
  readonly sessionNumber: string;
  /** The one media stream that both tracks belong to: clients play audio and video of the same stream. */
  readonly streamId: string;
  readonly videoTrackId: string;
  readonly audioTrackId: string;
  readonly cname: string;
  readonly videoSsrc: number;
  /** Of the RTX stream. */
  readonly videoRtxSsrc: number;
  readonly audioSsrc: number;
}

export interface AnswerTransport {
  readonly ice: IceCredentials;
  /** Hash name and value of the peer's certificate. */
  readonly fingerprint: string;
  readonly setup: 'active' | 'passive';
  readonly reachable: Reachable;
  /** The one UDP port. */
  readonly port: number;
  /** Null: UDP only. */
  readonly tcpPort: number | null;
}

/** The largest data-channel message that a client may send, in bytes. */
export const MAX_MESSAGE_BYTES = 65_536;
export const SCTP_PORT = 5000;

/**
 * Writes the answer: the sections of the offer in its order, each accepted or rejected, all on one ICE-lite transport.
 */
export function writeAnswer(options: {
  offer: Offer;
  chosen: ChosenMedia;
  identity: AnswerIdentity;
  transport: AnswerTransport;
  version: number;
}): string {
  const { offer, chosen, identity, transport } = options;
  const accepted = new Set([chosen.video?.mid, chosen.audio?.mid, chosen.channelMid].filter((mid) => mid != null));
  const bundle = offer.bundle.filter((mid) => accepted.has(mid));
  const lines = [
    'v=0',
    `o=- ${identity.sessionNumber} ${options.version} IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    `a=group:BUNDLE ${bundle.join(' ')}`,
    'a=ice-lite',
    `a=msid-semantic: WMS ${identity.streamId}`,
  ];
  for (const section of offer.sections) {
    const transportLines = [
      `a=mid:${section.mid}`,
      `a=ice-ufrag:${transport.ice.ufrag}`,
      `a=ice-pwd:${transport.ice.password}`,
      'a=ice-options:trickle',
      `a=fingerprint:${transport.fingerprint}`,
      `a=setup:${transport.setup}`,
      // The first section of the bundle carries the candidates of all sections.
      ...(section.mid === bundle[0] ? candidateLines(transport) : []),
    ];
    if (section.mid === chosen.video?.mid) lines.push(...videoLines(chosen.video, identity, transportLines));
    else if (section.mid === chosen.audio?.mid) lines.push(...audioLines(chosen.audio, identity, transportLines));
    else if (section.mid === chosen.channelMid) lines.push(...channelLines(offer, transportLines));
    else lines.push(...rejectionLines(section));
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** Host candidates in the given order. The priority decreases with the place in the list, and every UDP one is first. */
export function candidateLines({
  reachable: { publicAddresses, ownMachineAddresses = [] },
  port,
  tcpPort,
}: Pick<AnswerTransport, 'reachable' | 'port' | 'tcpPort'>): string[] {
  const addresses = [...publicAddresses, ...ownMachineAddresses];
  const udp = addresses.map((address, index) => {
    const priority = hostPriority('udp', index);
    return `a=candidate:${index + 1} 1 udp ${priority} ${address} ${port} typ host`;
  });
  const tcp = (tcpPort === null ? [] : publicAddresses).map((address, index) => {
    const priority = hostPriority('tcp', index);
    const foundation = addresses.length + index + 1;
    return `a=candidate:${foundation} 1 tcp ${priority} ${address} ${tcpPort} typ host tcptype passive`;
  });
  return [...udp, ...tcp, 'a=end-of-candidates'];
}

function videoLines(video: ChosenVideo, identity: AnswerIdentity, transport: readonly string[]): string[] {
  const pt = video.payloadType;
  const retransmissions = video.rtxPayloadType;
  return [
    `m=video 9 UDP/TLS/RTP/SAVPF ${retransmissions === null ? pt : `${pt} ${retransmissions}`}`,
    'c=IN IP4 0.0.0.0',
    'a=rtcp:9 IN IP4 0.0.0.0',
    ...transport,
    'a=sendonly',
    `a=msid:${identity.streamId} ${identity.videoTrackId}`,
    'a=rtcp-mux',
    `a=rtpmap:${pt} ${video.codec === 'h264' ? 'H264' : 'VP8'}/90000`,
    ...(video.parameters === null ? [] : [`a=fmtp:${pt} ${video.parameters}`]),
    ...(video.transportSequenceId === null ? [] : [`a=extmap:${video.transportSequenceId} ${TRANSPORT_SEQUENCE_URI}`]),
    ...(video.playoutDelayId === null ? [] : [`a=extmap:${video.playoutDelayId} ${PLAYOUT_DELAY_URI}`]),
    ...video.feedback.map((kind) => `a=rtcp-fb:${pt} ${kind}`),
    ...(retransmissions === null
      ? []
      : [
          `a=rtpmap:${retransmissions} rtx/90000`,
          `a=fmtp:${retransmissions} apt=${pt}`,
          `a=ssrc-group:FID ${identity.videoSsrc} ${identity.videoRtxSsrc}`,
        ]),
    ...[identity.videoSsrc, ...(retransmissions === null ? [] : [identity.videoRtxSsrc])].flatMap((ssrc) => [
      `a=ssrc:${ssrc} cname:${identity.cname}`,
      `a=ssrc:${ssrc} msid:${identity.streamId} ${identity.videoTrackId}`,
    ]),
  ];
}

function audioLines(audio: ChosenAudio, identity: AnswerIdentity, transport: readonly string[]): string[] {
  const pt = audio.payloadType;
  return [
    `m=audio 9 UDP/TLS/RTP/SAVPF ${pt}`,
    'c=IN IP4 0.0.0.0',
    'a=rtcp:9 IN IP4 0.0.0.0',
    ...transport,
    `a=${audio.direction}`,
    `a=msid:${identity.streamId} ${identity.audioTrackId}`,
    'a=rtcp-mux',
    `a=rtpmap:${pt} opus/48000/2`,
    // Without `useinbandfec`: the copies in a client's packets cannot be used here (docs/decisions/media.md).
    `a=fmtp:${pt} minptime=10;stereo=0`,
    'a=ptime:20',
    // Browsers do not offer NACK for sound (Chromium: transport-cc alone), but they request lost packets once an answer
    // accepts it.
    `a=rtcp-fb:${pt} nack`,
    `a=ssrc:${identity.audioSsrc} cname:${identity.cname}`,
    `a=ssrc:${identity.audioSsrc} msid:${identity.streamId} ${identity.audioTrackId}`,
  ];
}

function channelLines(offer: Offer, transport: readonly string[]): string[] {
  const legacy = offer.sctp?.syntax === 'legacy';
  return [
    legacy ? `m=application 9 DTLS/SCTP ${SCTP_PORT}` : 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    ...transport,
    legacy ? `a=sctpmap:${SCTP_PORT} webrtc-datachannel 65535` : `a=sctp-port:${SCTP_PORT}`,
    `a=max-message-size:${MAX_MESSAGE_BYTES}`,
  ];
}

/** Port 0 refuses a section (RFC 3264). Its formats are repeated unchanged. */
function rejectionLines({ media, mid }: OfferedSection): string[] {
  return [`m=${media.type} 0 ${media.protocol} ${media.formats}`, 'c=IN IP4 0.0.0.0', `a=mid:${mid}`, 'a=inactive'];
}
