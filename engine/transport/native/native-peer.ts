import { PeerConnection, Video, type DataChannel, type Track } from 'node-datachannel';
import type { Logger } from '../../../runtime/log.ts';
import { OfferError } from '../sdp/parse-offer.ts';
import { PEER_MEDIA_MID } from '../sdp/peer-offer.ts';
import { MAX_MESSAGE_BYTES } from '../sdp/write-answer.ts';
import { nativeGuard } from './native-guard.ts';

/**
 * A peer that answers. Only the files of this folder use the native WebRTC library: every callback is guarded, and what
 * the library throws is turned into a return value or an OfferError.
 */

/** The client opens one channel of this name; others are ignored. */
export const CHANNEL_LABEL = 'session';

export interface NativePeerHandlers {
  /** DTLS is up. */
  connected(): void;
  /** The peer has ended: the client closed it, or it was given up. Called once. */
  ended(): void;
  /** One RTP packet or RTCP compound, decrypted. */
  media(packet: Buffer): void;
  /** Called again if the channel opens anew. `id` is the SCTP stream. */
  channelOpened(id: number): void;
  message(text: string): void;
}

export interface NativePeer {
  /** Hash name and value of its certificate, and its DTLS role. */
  readonly dtls: { readonly fingerprint: string; readonly setup: 'active' | 'passive' };
  /** @returns whether the packet was taken. */
  sendMedia(packet: Buffer): boolean;
  /** @returns whether the message was taken; false while the channel is not open. */
  sendMessage(text: string): boolean;
  close(): void;
}

export interface NativePeerOptions {
  readonly name: string;
  /** From `peerOffer`. */
  readonly offer: string;
  readonly payloadTypes: readonly number[];
  /** The stream id of a channel that the client already has; null: the client opens it in-band. */
  readonly negotiatedChannelId: number | null;
  readonly handlers: NativePeerHandlers;
  readonly log: Logger;
}

/** The states that the library never leaves again: it closes the connection on each of them. */
export const FINAL_STATES = new Set(['disconnected', 'failed', 'closed']);

/** @throws OfferError when the library refuses the description. */
export function openNativePeer(options: NativePeerOptions): NativePeer {
  const { handlers, log } = options;
  const { guarded, attempt, quietly, end, release: releaseOnce } = nativeGuard(options.name, log);
  let track: Track | null = null;
  let channel: DataChannel | null = null;

  function bind(opened: DataChannel): void {
    channel = opened;
    opened.onOpen(guarded(() => handlers.channelOpened(opened.getId())));
    opened.onMessage(
      guarded((message) => {
        if (typeof message === 'string') handlers.message(message);
      }),
    );
    opened.onError(guarded((error) => log.warn({ peer: options.name, error }, 'the data channel reported an error')));
  }

  function release(): void {
    if (!releaseOnce()) return;
    quietly(() => connection.close());
    // Each of them keeps about 150 KB alive until it is closed.
    quietly(() => channel?.close());
    quietly(() => track?.close());
    track = null;
    channel = null;
  }

  const connection = new PeerConnection(options.name, {
    iceServers: [],
    bindAddress: '127.0.0.1',
    maxMessageSize: MAX_MESSAGE_BYTES,
  });
  try {
    connection.onStateChange(
      guarded((state) => {
        if (state === 'connected') handlers.connected();
        else if (FINAL_STATES.has(state)) {
          end();
          handlers.ended();
        }
      }),
    );
    connection.onDataChannel(
      guarded((opened) => {
        if (opened.getLabel() === CHANNEL_LABEL) bind(opened);
        else log.debug({ peer: options.name }, 'a data channel of another name was ignored');
      }),
    );
    if (options.payloadTypes.length > 0) {
      const media = new Video(PEER_MEDIA_MID, 'SendRecv');
      for (const payloadType of options.payloadTypes) media.addVP8Codec(payloadType);
      track = connection.addTrack(media);
      track.onMessage(guarded((packet) => handlers.media(packet)));
    }
    connection.setRemoteDescription(options.offer, 'offer');
    // Before the remote description was set, this would make the library start an offer of its own.
    if (options.negotiatedChannelId !== null)
      bind(connection.createDataChannel(CHANNEL_LABEL, { negotiated: true, id: options.negotiatedChannelId }));
    const answer = connection.localDescription()?.sdp ?? '';
    const fingerprint = /^a=fingerprint:(.+?)\r?$/m.exec(answer)?.[1];
    const setup = /^a=setup:(active|passive)\r?$/m.exec(answer)?.[1];
    if (!fingerprint || !setup) throw new Error('The peer made no answer.');
    return {
      dtls: { fingerprint, setup: setup as 'active' | 'passive' },
      sendMedia: (packet) => attempt(() => track?.isOpen() === true && track.sendMessageBinary(packet)),
      sendMessage: (text) => attempt(() => channel?.isOpen() === true && (channel.sendMessage(text), true)),
      close: release,
    };
  } catch (error) {
    release();
    throw new OfferError('The WebRTC peer refused the offer.', { cause: error });
  }
}
