import { PeerConnection, Video, type DataChannel, type Track } from 'node-datachannel';
import type { Logger } from '../../../runtime/log.ts';
import { OfferError, parseOffer, type DtlsParameters } from '../sdp/parse-offer.ts';
import { PEER_MEDIA_MID } from '../sdp/peer-offer.ts';
import type { IceCredentials } from '../ice/credentials.ts';
import { MAX_MESSAGE_BYTES, SCTP_PORT } from '../sdp/write-answer.ts';
import { nativeGuard, type NativeGuard } from './native-guard.ts';
import { FINAL_STATES } from './native-peer.ts';

export interface NativeOffererHandlers {
  /** DTLS is up. */
  connected(): void;
  /** The peer has ended. Called once. */
  ended(): void;
  /** One RTP packet or RTCP compound, decrypted. */
  media(packet: Buffer): void;
  channelOpened(label: string): void;
  /** From any of the channels, in the order of each. */
  message(bytes: Uint8Array): void;
  /** As in SDP, without `a=`. */
  candidate(candidate: string): void;
}

export interface NativeOffererOptions {
  readonly name: string;
  readonly payloadTypes: readonly number[];
  readonly channels: readonly { readonly label: string; readonly delivery: 'reliable' | 'lossy' }[];
  readonly handlers: NativeOffererHandlers;
  readonly log: Logger;
}

/** A peer that goes out to a server, with ICE of its own. */
export interface NativeOfferer {
  readonly ice: IceCredentials;
  readonly dtls: DtlsParameters;
  /** @throws OfferError when the library refuses it. */
  answered(answer: { readonly ice: IceCredentials; readonly dtls: DtlsParameters }): void;
  /** Only after `answered`. What the library cannot read is dropped. */
  addCandidate(candidate: string): void;
  /** @returns whether the packet was taken. */
  sendMedia(packet: Buffer): boolean;
  /** @returns whether the message was taken; false while the channel is not open. */
  sendMessage(label: string, bytes: Uint8Array): boolean;
  close(): void;
}

/**
 * Opens a peer, and gathers its candidates. The peer has one media section, which carries all RTP and RTCP: what the
 * server sees, our code writes (as in `peer-offer.ts`).
 * @throws OfferError when the library makes no offer.
 */
export function openNativeOfferer(options: NativeOffererOptions): NativeOfferer {
  const { payloadTypes } = options;
  const guard = nativeGuard(options.name, options.log);
  const { attempt, quietly } = guard;
  const channels = new Map<string, DataChannel>();
  const connection = new PeerConnection(options.name, {
    // The server is public: it sees our address when packets come, and needs no STUN to tell it.
    iceServers: [],
    disableAutoNegotiation: true,
    maxMessageSize: MAX_MESSAGE_BYTES,
  });
  const media = new Video(PEER_MEDIA_MID, 'SendRecv');
  for (const payloadType of payloadTypes) media.addVP8Codec(payloadType);
  const track = connection.addTrack(media);

  function close(): void {
    if (!guard.release()) return;
    quietly(() => connection.close());
    for (const channel of channels.values()) quietly(() => channel.close());
    quietly(() => track.close());
  }

  try {
    listen({ connection, track }, options, guard);
    for (const channel of options.channels)
      channels.set(channel.label, openChannel(connection, channel, options, guard));
    const own = makeOffer(connection);
    return {
      ice: own.ice,
      dtls: own.dtls,
      answered({ ice, dtls }) {
        try {
          const { channelMid } = own;
          connection.setRemoteDescription(answerOf({ ice, dtls, payloadTypes, channelMid }), 'answer');
        } catch (error) {
          throw new OfferError('The WebRTC peer refused the answer.', { cause: error });
        }
      },
      addCandidate: (candidate) => void attempt(() => (connection.addRemoteCandidate(candidate, PEER_MEDIA_MID), true)),
      sendMedia: (packet) => attempt(() => track.isOpen() && track.sendMessageBinary(packet)),
      sendMessage: (label, bytes) =>
        attempt(() => {
          const channel = channels.get(label);
          return channel?.isOpen() === true && channel.sendMessageBinary(bytes);
        }),
      close,
    };
  } catch (error) {
    close();
    throw error instanceof OfferError ? error : new OfferError('The WebRTC peer made no offer.', { cause: error });
  }
}

function listen(
  { connection, track }: { readonly connection: PeerConnection; readonly track: Track },
  { handlers }: Pick<NativeOffererOptions, 'handlers'>,
  { guarded, end }: NativeGuard,
): void {
  connection.onStateChange(
    guarded((state) => {
      if (state === 'connected') handlers.connected();
      else if (FINAL_STATES.has(state)) {
        end();
        handlers.ended();
      }
    }),
  );
  connection.onLocalCandidate(guarded((candidate) => handlers.candidate(candidate.replace(/^a=/, ''))));
  track.onMessage(guarded((packet) => handlers.media(packet)));
}

function openChannel(
  connection: PeerConnection,
  { label, delivery }: NativeOffererOptions['channels'][number],
  { name, handlers, log }: NativeOffererOptions,
  { guarded }: NativeGuard,
): DataChannel {
  const settings = delivery === 'reliable' ? {} : { unordered: true, maxRetransmits: 0 };
  const channel = connection.createDataChannel(label, settings);
  channel.onOpen(guarded(() => handlers.channelOpened(label)));
  channel.onMessage(
    guarded((message) => {
      if (typeof message !== 'string') handlers.message(new Uint8Array(message));
    }),
  );
  channel.onError(guarded((error) => log.warn({ peer: name, error }, 'a data channel failed')));
  return channel;
}

/** @returns what the peer tells of itself. */
function makeOffer(connection: PeerConnection) {
  connection.setLocalDescription('offer');
  const { ice, dtls, sections } = parseOffer(connection.localDescription()?.sdp ?? '');
  return { ice, dtls, channelMid: sections.find(({ kind }) => kind === 'application')?.mid ?? 'channel' };
}

/** What the library gets in place of the server's answer. */
function answerOf(options: {
  readonly ice: IceCredentials;
  readonly dtls: DtlsParameters;
  readonly payloadTypes: readonly number[];
  readonly channelMid: string;
}): string {
  const { ice, dtls, payloadTypes, channelMid } = options;
  const transport = [
    'c=IN IP4 0.0.0.0',
    `a=ice-ufrag:${ice.ufrag}`,
    `a=ice-pwd:${ice.password}`,
    'a=ice-options:trickle',
    `a=fingerprint:${dtls.fingerprint}`,
    `a=setup:${dtls.setup}`,
  ];
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    `a=group:BUNDLE ${PEER_MEDIA_MID} ${channelMid}`,
    `m=video 9 UDP/TLS/RTP/SAVPF ${payloadTypes.join(' ')}`,
    ...transport,
    `a=mid:${PEER_MEDIA_MID}`,
    'a=sendrecv',
    'a=rtcp-mux',
    ...payloadTypes.map((payloadType) => `a=rtpmap:${payloadType} VP8/90000`),
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    ...transport,
    `a=mid:${channelMid}`,
    `a=sctp-port:${SCTP_PORT}`,
    `a=max-message-size:${MAX_MESSAGE_BYTES}`,
  ];
  return `${lines.join('\r\n')}\r\n`;
}
