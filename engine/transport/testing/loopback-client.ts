import { Audio, PeerConnection, Video, type DataChannel, type Track } from 'node-datachannel';
import { engineNow } from '../../../runtime/clock.ts';
import { parseFeedback, type Feedback } from '../rtcp/parse-feedback.ts';
import { Reception } from '../rtcp/reception.ts';
import { writeReports } from '../rtcp/write-reports.ts';
import { isRtcp, NO_EXTENSIONS, parseRtp, writeRtp, type RtpHeader } from '../rtp/rtp-packet.ts';

const VIDEO_MID = 'video';
const AUDIO_MID = 'audio';
const PAYLOAD_TYPES = { h264: 102, vp8: 96, opus: 111 };
/** Of retransmissions (RTX). */
const RTX_TYPES = { h264: 103, vp8: 97 };
const MICROPHONE_SSRC = 0x5eed;

export interface ReceivedPacket extends RtpHeader {
  readonly payload: Buffer;
  /** Engine time. */
  readonly arrivedAt: number;
}

export interface LoopbackClientOptions {
  /** Of this machine, from which it reaches the service. @defaultValue the loopback interface */
  readonly address?: string;
  /** What to offer, best first. None: it takes sound only. @defaultValue both */
  readonly videoCodecs?: readonly ('h264' | 'vp8')[];
  /** A TURN server that it may use as well. The library knows no policy that would forbid it every other path. */
  readonly relay?: {
    readonly hostname: string;
    readonly port: number;
    readonly username: string;
    readonly password: string;
  };
  /** Retransmissions arrive in the stream of the original packets. */
  onVideo?(packet: ReceivedPacket): void;
  onAudio?(packet: ReceivedPacket): void;
  onFeedback?(feedback: Feedback): void;
  /** Every RTCP packet as it came. */
  onRtcp?(packet: Buffer, arrivedAt: number): void;
  onMessage?(text: string, arrivedAt: number): void;
}

export interface LoopbackClient {
  /**
   * The client's offer. Sending the same text again is what a client does that restarts ICE on the same peer
   * connection.
   */
  readonly offer: string;
  acceptAnswer(sdp: string): void;
  /** Of its own candidates, the kind that is in use, for example `relay`; null: none yet. */
  path(): string | null;
  /** Resolves when DTLS is up. */
  readonly connected: Promise<void>;
  readonly channelOpen: Promise<void>;
  /** Sends one Opus packet as its microphone. @param at packets of 20 ms since the beginning. @defaultValue `sequence` */
  sendOpus(payload: Uint8Array, sequence: number, at?: number): boolean;
  sendMessage(text: string): boolean;
  /** Reports which sound packets have arrived (RFC 3550), as every real client does about once a second. */
  reportAudio(): boolean;
  /** Sends an RTCP packet of the test's own. */
  sendRtcp(packet: Buffer): boolean;
  close(): void;
}

/**
 * A WebRTC client in this process, for tests and benches. It offers like a browser, has a microphone and a data
 * channel, and passes on every packet that it gets, with the time of its arrival.
 */
export function openLoopbackClient(options: LoopbackClientOptions = {}): LoopbackClient {
  const codecs = options.videoCodecs ?? ['h264', 'vp8'];
  const connection = new PeerConnection('loopback client', {
    iceServers: options.relay ? [{ ...options.relay, relayType: 'TurnUdp' }] : [],
    bindAddress: options.address ?? '127.0.0.1',
    disableAutoNegotiation: true,
  });
  const connected = connectionOf(connection);
  const channelOpen = Promise.withResolvers<void>();
  // A test that does not wait for it must not fail because of it.
  channelOpen.promise.catch(() => {});
  const channel: DataChannel = connection.createDataChannel('session');
  channel.onOpen(() => channelOpen.resolve());
  channel.onMessage((message) => options.onMessage?.(String(message), engineNow()));

  const tracks = addTracks(connection, codecs);
  const received = new ReceivedMedia(options);
  tracks.video?.onMessage((packet) => received.take(packet, options.onVideo?.bind(options)));
  tracks.audio.onMessage((packet) => received.take(packet, options.onAudio?.bind(options)));
  const sendAudio = (packet: Buffer): boolean => tracks.audio.isOpen() && tracks.audio.sendMessageBinary(packet);

  connection.setLocalDescription('offer');
  return {
    offer: withRtx(connection.localDescription()?.sdp ?? '', codecs),
    acceptAnswer: (sdp) => connection.setRemoteDescription(sdp, 'answer'),
    path: () => connection.getSelectedCandidatePair()?.local.type ?? null,
    connected,
    channelOpen: channelOpen.promise,
    sendOpus: (payload, sequence, at = sequence) => sendAudio(opusPacket(payload, sequence, at)),
    sendMessage: (text) => channel.isOpen() && channel.sendMessage(text),
    reportAudio() {
      const report = received.report();
      return report !== null && sendAudio(report);
    },
    sendRtcp: sendAudio,
    close() {
      connection.close();
      channel.close();
      tracks.video?.close();
      tracks.audio.close();
    },
  };
}

/** Resolves when DTLS is up. A test that does not wait for it does not fail because of it. */
function connectionOf(connection: PeerConnection): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => {});
  connection.onStateChange((state) => {
    if (state === 'connected') resolve();
    else if (state === 'failed' || state === 'closed') reject(new Error(`The loopback client is ${state}.`));
  });
  return promise;
}

function addTracks(
  connection: PeerConnection,
  codecs: readonly ('h264' | 'vp8')[],
): { readonly video: Track | null; readonly audio: Track } {
  const video = new Video(VIDEO_MID, 'RecvOnly');
  for (const codec of codecs) {
    if (codec === 'h264')
      video.addH264Codec(PAYLOAD_TYPES.h264, 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f');
    else video.addVP8Codec(PAYLOAD_TYPES.vp8);
  }
  const audio = new Audio(AUDIO_MID, 'SendRecv');
  audio.addOpusCodec(PAYLOAD_TYPES.opus);
  audio.addSSRC(MICROPHONE_SSRC, 'loopback');
  return { video: codecs.length > 0 ? connection.addTrack(video) : null, audio: connection.addTrack(audio) };
}

/** What arrives, and what a receiver knows of its sound. */
class ReceivedMedia {
  readonly #options: Pick<LoopbackClientOptions, 'onRtcp' | 'onFeedback'>;
  #audio: Reception | null = null;

  constructor(options: Pick<LoopbackClientOptions, 'onRtcp' | 'onFeedback'>) {
    this.#options = options;
  }

  take(packet: Buffer, hand: ((packet: ReceivedPacket) => void) | undefined): void {
    const arrivedAt = engineNow();
    if (isRtcp(packet)) return this.#takeRtcp(packet, arrivedAt);
    const rtp = parseRtp(packet);
    if (rtp?.payloadType === PAYLOAD_TYPES.opus) this.#count(rtp, arrivedAt);
    const original = rtp && withoutRtx(rtp);
    if (original) hand?.({ ...original, arrivedAt });
  }

  /** @returns null before the first sound. */
  report(): Buffer | null {
    const now = engineNow();
    const streams = [{ ssrc: MICROPHONE_SSRC, packets: 0, octets: 0, timestamp: 0 }];
    return this.#audio && writeReports({ now, cname: 'loopback', streams, received: this.#audio.report(now) });
  }

  #takeRtcp(packet: Buffer, arrivedAt: number): void {
    this.#options.onRtcp?.(packet, arrivedAt);
    for (const feedback of parseFeedback(packet)) {
      if (feedback.type === 'sender-report' && feedback.ssrc === this.#audio?.ssrc)
        this.#audio.senderReport(feedback.ntpMiddle, arrivedAt);
      this.#options.onFeedback?.(feedback);
    }
  }

  #count({ ssrc, sequence, timestamp }: RtpHeader, arrivedAt: number): void {
    if (this.#audio?.ssrc !== ssrc) this.#audio = new Reception(ssrc, 48_000, sequence);
    this.#audio.packet(sequence, timestamp, arrivedAt);
  }
}

function opusPacket(payload: Uint8Array, sequence: number, at: number): Buffer {
  const header = {
    marker: false,
    payloadType: PAYLOAD_TYPES.opus,
    sequence: sequence & 0xffff,
    timestamp: (at * 960) >>> 0,
    ssrc: MICROPHONE_SSRC,
  };
  return writeRtp(header, payload, NO_EXTENSIONS);
}

/** Offers a separate stream of retransmissions, which the library cannot do. */
function withRtx(sdp: string, codecs: readonly ('h264' | 'vp8')[]): string {
  const types = codecs.map((codec) => RTX_TYPES[codec]).join(' ');
  const lines = codecs
    .map(
      (codec) => `a=rtpmap:${RTX_TYPES[codec]} rtx/90000\r\na=fmtp:${RTX_TYPES[codec]} apt=${PAYLOAD_TYPES[codec]}\r\n`,
    )
    .join('');
  return sdp.replace(/^(m=video .*?)(\r\n)/m, `$1 ${types}$2`).replace(/^a=rtpmap:\d+ (?:H264|VP8)/m, `${lines}$&`);
}

/** @returns the content of a retransmission; null for padding. */
function withoutRtx<Packet extends RtpHeader & { readonly payload: Buffer }>(packet: Packet): Packet | null {
  if (!Object.values(RTX_TYPES).includes(packet.payloadType)) return packet;
  return packet.payload.length < 2
    ? null
    : { ...packet, sequence: packet.payload.readUInt16BE(0), payload: packet.payload.subarray(2) };
}
