import type { DtlsParameters } from '../transport/sdp/parse-offer.ts';
import { TRANSPORT_SEQUENCE_URI } from '../transport/sdp/choose-media.ts';
import { MAX_MESSAGE_BYTES, SCTP_PORT } from '../transport/sdp/write-answer.ts';
import type { IceCredentials } from '../transport/ice/credentials.ts';

/** Ids of the tracks: they tie a section of the offer to what the join request says of its track. */
export const AUDIO_TRACK = 'persona-audio';
export const VIDEO_TRACK = 'persona-video';

/** The first section carries the transport of all. */
export const FIRST_MID = '0';
const OPUS = 111;
const VP8 = 96;
const RTX = 97;
export const PUBLISHED_PAYLOAD_TYPES = [OPUS, VP8, RTX];
const TRANSPORT_SEQUENCE_ID = 3;

export interface PublishedStreams {
  readonly cname: string;
  readonly audioSsrc: number;
  readonly videoSsrc: number;
  readonly videoRtxSsrc: number;
}

/**
 * The offer of a participant that publishes a voice and a face in one stream, and takes only data. VP8, because every
 * participant can show it: a server forwards what comes, and does not convert it.
 */
export function publisherOffer(options: {
  readonly ice: IceCredentials;
  readonly dtls: DtlsParameters;
  readonly streams: PublishedStreams;
  readonly streamId: string;
}): string {
  const { ice, dtls, streams, streamId } = options;
  const { cname, audioSsrc, videoSsrc, videoRtxSsrc } = streams;
  const section = (mid: string) => [
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=ice-ufrag:${ice.ufrag}`,
    `a=ice-pwd:${ice.password}`,
    'a=ice-options:trickle',
    `a=fingerprint:${dtls.fingerprint}`,
    'a=setup:actpass',
  ];
  const source = (ssrc: number, track: string) => [
    `a=ssrc:${ssrc} cname:${cname}`,
    `a=ssrc:${ssrc} msid:${streamId} ${track}`,
  ];
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0 1 2',
    `a=msid-semantic: WMS ${streamId}`,
    `m=audio 9 UDP/TLS/RTP/SAVPF ${OPUS}`,
    ...section(FIRST_MID),
    'a=sendonly',
    `a=msid:${streamId} ${AUDIO_TRACK}`,
    'a=rtcp-mux',
    `a=rtpmap:${OPUS} opus/48000/2`,
    `a=fmtp:${OPUS} minptime=10;useinbandfec=1`,
    `a=rtcp-fb:${OPUS} nack`,
    ...source(audioSsrc, AUDIO_TRACK),
    `m=video 9 UDP/TLS/RTP/SAVPF ${VP8} ${RTX}`,
    ...section('1'),
    'a=sendonly',
    `a=msid:${streamId} ${VIDEO_TRACK}`,
    'a=rtcp-mux',
    `a=rtpmap:${VP8} VP8/90000`,
    ...['transport-cc', 'goog-remb', 'ccm fir', 'nack', 'nack pli'].map((kind) => `a=rtcp-fb:${VP8} ${kind}`),
    `a=rtpmap:${RTX} rtx/90000`,
    `a=fmtp:${RTX} apt=${VP8}`,
    `a=extmap:${TRANSPORT_SEQUENCE_ID} ${TRANSPORT_SEQUENCE_URI}`,
    `a=ssrc-group:FID ${videoSsrc} ${videoRtxSsrc}`,
    ...source(videoSsrc, VIDEO_TRACK),
    ...source(videoRtxSsrc, VIDEO_TRACK),
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    ...section('2'),
    `a=sctp-port:${SCTP_PORT}`,
    `a=max-message-size:${MAX_MESSAGE_BYTES}`,
  ];
  return `${lines.join('\r\n')}\r\n`;
}
