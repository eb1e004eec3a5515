import { PeerConnection, Video, type DataChannel, type Track } from 'node-datachannel';
import type { Logger } from '../../../runtime/log.ts';
import { OfferError } from '../sdp/parse-offer.ts';
import { PEER_MEDIA_MID } from '../sdp/peer-offer.ts';
import { MAX_MESSAGE_BYTES } from '../sdp/write-answer.ts';
import { nativeGuard, type NativeGuard } from './native-guard.ts';

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
  const peer = new AnsweringPeer(options);
  try {
    const dtls = peer.answer(options);
    return {
      dtls,
      sendMedia: (packet) => peer.sendMedia(packet),
      sendMessage: (text) => peer.sendMessage(text),
      close: () => peer.close(),
    };
  } catch (error) {
    peer.close();
    throw new OfferError('The WebRTC peer refused the offer.', { cause: error });
  }
}

class AnsweringPeer {
  readonly #name: string;
  readonly #handlers: NativePeerHandlers;
  readonly #log: Logger;
  readonly #guard: NativeGuard;
  readonly #connection: PeerConnection;
  #track: Track | null = null;
  #channel: DataChannel | null = null;

  constructor({ name, handlers, log }: NativePeerOptions) {
    this.#name = name;
    this.#handlers = handlers;
    this.#log = log;
    this.#guard = nativeGuard(name, log);
    this.#connection = new PeerConnection(name, {
      iceServers: [],
      bindAddress: '127.0.0.1',
      maxMessageSize: MAX_MESSAGE_BYTES,
    });
  }

  /** @returns what the peer's answer says. @throws whatever the library throws. */
  answer(options: NativePeerOptions): NativePeer['dtls'] {
    this.#listen();
    if (options.payloadTypes.length > 0) this.#addTrack(options.payloadTypes);
    const connection = this.#connection;
    connection.setRemoteDescription(options.offer, 'offer');
    // Before the remote description was set, this would make the library start an offer of its own.
    if (options.negotiatedChannelId !== null)
      this.#bind(connection.createDataChannel(CHANNEL_LABEL, { negotiated: true, id: options.negotiatedChannelId }));
    const answer = connection.localDescription()?.sdp ?? '';
    const fingerprint = /^a=fingerprint:(.+?)\r?$/m.exec(answer)?.[1];
    const setup = /^a=setup:(active|passive)\r?$/m.exec(answer)?.[1];
    if (!fingerprint || !setup) throw new Error('The peer made no answer.');
    return { fingerprint, setup: setup as 'active' | 'passive' };
  }

  sendMedia(packet: Buffer): boolean {
    return this.#guard.attempt(() => this.#track?.isOpen() === true && this.#track.sendMessageBinary(packet));
  }

  sendMessage(text: string): boolean {
    return this.#guard.attempt(() => this.#channel?.isOpen() === true && (this.#channel.sendMessage(text), true));
  }

  close(): void {
    const { quietly, release } = this.#guard;
    if (!release()) return;
    quietly(() => this.#connection.close());
    // Each of them keeps about 150 KB alive until it is closed.
    quietly(() => this.#channel?.close());
    quietly(() => this.#track?.close());
    this.#track = null;
    this.#channel = null;
  }

  #listen(): void {
    const { guarded, end } = this.#guard;
    this.#connection.onStateChange(
      guarded((state) => {
        if (state === 'connected') this.#handlers.connected();
        else if (FINAL_STATES.has(state)) {
          end();
          this.#handlers.ended();
        }
      }),
    );
    this.#connection.onDataChannel(
      guarded((opened) => {
        if (opened.getLabel() === CHANNEL_LABEL) this.#bind(opened);
        else this.#log.debug({ peer: this.#name }, 'a data channel of another name was ignored');
      }),
    );
  }

  #addTrack(payloadTypes: readonly number[]): void {
    const media = new Video(PEER_MEDIA_MID, 'SendRecv');
    for (const payloadType of payloadTypes) media.addVP8Codec(payloadType);
    this.#track = this.#connection.addTrack(media);
    this.#track.onMessage(this.#guard.guarded((packet) => this.#handlers.media(packet)));
  }

  #bind(opened: DataChannel): void {
    const { guarded } = this.#guard;
    this.#channel = opened;
    opened.onOpen(guarded(() => this.#handlers.channelOpened(opened.getId())));
    opened.onMessage(
      guarded((message) => {
        if (typeof message === 'string') this.#handlers.message(message);
      }),
    );
    opened.onError(
      guarded((error) => this.#log.warn({ peer: this.#name, error }, 'the data channel reported an error')),
    );
  }
}
