import type { RoomAddress } from '../../actors/session-config.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/log.ts';
import { portOf, type PrivateHosts } from '../net/index.ts';
import { openNativeOfferer, type NativeOfferer } from '../transport/native/native-offerer.ts';
import { chooseMedia, type ChosenMedia } from '../transport/sdp/choose-media.ts';
import { OfferError, parseOffer } from '../transport/sdp/parse-offer.ts';
import { FIRST_MID, PUBLISHED_PAYLOAD_TYPES, publisherOffer, type PublishedStreams } from './publisher-offer.ts';
import { candidatesIn, isUsableCandidate } from './room-candidates.ts';
import { openRoomSocket, type RoomSocket } from './room-socket.ts';
import { joinUrl, readSignal, writeCandidate, type RoomSignal } from './signal-messages.ts';

/** Channels of LiveKit. What agents and avatars tell each other goes over the reliable one. */
const RELIABLE = '_reliable';
const LOSSY = '_lossy';
/** Of a server: it has some addresses, each by UDP and TCP. A check of each costs packets. */
const MAX_CANDIDATES = 64;
/** From the request to join until media flow: a server far away needs ten round trips. */
const CONNECT_WITHIN_MS = 15_000;

export interface RoomLinkHandlers {
  joined(present: readonly string[]): void;
  /** The server has agreed on media, and takes packets from now on. */
  connected(chosen: ChosenMedia): void;
  channelOpened(): void;
  token(token: string): void;
  participants(here: readonly string[], gone: readonly string[]): void;
  media(packet: Buffer): void;
  data(bytes: Uint8Array): void;
  /** Called once, unless it was closed from here. `text`: for the log. */
  ended(end: LinkEnd): void;
}

/** `refused`: the next try would be refused, too. `left`: somebody ended the persona's stay. `lost`: it may come back. */
export interface LinkEnd {
  readonly kind: 'refused' | 'left' | 'lost';
  readonly text: string;
}

export interface RoomLink {
  /** @returns whether the packet was handed over. */
  sendMedia(packet: Buffer): boolean;
  sendData(bytes: Uint8Array): boolean;
  close(how: 'leave' | 'silently'): void;
}

export interface RoomLinkOptions {
  readonly name: string;
  readonly address: Pick<RoomAddress, 'url' | 'token'>;
  readonly allowed: PrivateHosts;
  readonly streams: PublishedStreams;
  readonly streamId: string;
  readonly video: { readonly width: number; readonly height: number; readonly bitrate: number };
  readonly handlers: RoomLinkHandlers;
  readonly timers: Timers;
  readonly log: Logger;
}

/** One stay in a room: one signaling socket and one peer connection. @throws OfferError when no peer can be made. */
export function openRoomLink(options: RoomLinkOptions): RoomLink {
  return new RoomStay(options);
}

class RoomStay implements RoomLink {
  readonly #options: RoomLinkOptions;
  readonly #peer: NativeOfferer;
  readonly #socket: RoomSocket;
  readonly #deadline: unknown;
  /** Checks that come before the answer is applied would find a peer that does not know the server's certificate. */
  readonly #ownCandidates: string[] = [];
  readonly #theirCandidates: string[] = [];
  #stage: 'joining' | 'answered' | 'over' = 'joining';
  #chosen: ChosenMedia | null = null;
  /** Of the server, that were taken. */
  #heard = 0;

  constructor(options: RoomLinkOptions) {
    const { timers } = options;
    this.#options = options;
    this.#peer = this.#openPeer();
    this.#deadline = timers.setTimeout(
      () => this.#ended({ kind: 'lost', text: 'No media connection came about.' }),
      CONNECT_WITHIN_MS,
    );
    this.#socket = this.#openSocket();
  }

  sendMedia(packet: Buffer): boolean {
    return this.#stage === 'answered' && this.#peer.sendMedia(packet);
  }

  sendData(bytes: Uint8Array): boolean {
    return this.#stage === 'answered' && this.#peer.sendMessage(RELIABLE, bytes);
  }

  close(how: 'leave' | 'silently'): void {
    if (this.#stage === 'over') return;
    this.#stage = 'over';
    this.#options.timers.clearTimeout(this.#deadline);
    this.#socket.close(how);
    this.#peer.close();
  }

  #openPeer(): NativeOfferer {
    const { name, handlers, timers, log } = this.#options;
    return openNativeOfferer({
      name,
      payloadTypes: PUBLISHED_PAYLOAD_TYPES,
      channels: [
        { label: RELIABLE, delivery: 'reliable' },
        { label: LOSSY, delivery: 'lossy' },
      ],
      log,
      handlers: {
        connected: () => {
          timers.clearTimeout(this.#deadline);
          if (this.#chosen !== null) handlers.connected(this.#chosen);
        },
        ended: () => this.#ended({ kind: 'lost', text: 'The media connection ended.' }),
        media: handlers.media,
        channelOpened: (label) => {
          if (label === RELIABLE) handlers.channelOpened();
        },
        message: handlers.data,
        candidate: (candidate) => this.#tell(candidate),
      },
    });
  }

  #openSocket(): RoomSocket {
    const { address, allowed, streams, streamId, video, timers } = this.#options;
    const { ice, dtls } = this.#peer;
    const sdp = publisherOffer({ ice, dtls, streams, streamId });
    return openRoomSocket({
      url: joinUrl(address.url, { sdp, streamId, video: { ...video, ssrc: streams.videoSsrc } }),
      token: address.token,
      allowed,
      timers,
      handlers: {
        message: (bytes) => {
          const signal = readSignal(bytes);
          if (signal !== null) this.#take(signal);
        },
        ended: (end) => this.#ended(end),
      },
    });
  }

  #take(signal: RoomSignal): void {
    if (this.#stage === 'over') return;
    const { handlers } = this.#options;
    switch (signal.type) {
      case 'joined':
        this.#socket.watch(signal.pingEvery, signal.pingTimeout);
        return handlers.joined(signal.present);
      case 'answer':
        return this.#answered(signal.sdp);
      case 'candidate':
        return this.#hear(signal.candidate);
      case 'participants':
        return handlers.participants(signal.here, signal.gone);
      case 'token':
        return handlers.token(signal.token);
      case 'leave':
        return this.#ended({ kind: signal.kind === 'for good' ? 'left' : 'lost', text: `LiveKit: ${signal.reason}.` });
      case 'other':
    }
  }

  #answered(sdp: string): void {
    if (this.#stage !== 'joining') return;
    const { name, log } = this.#options;
    try {
      const { answer, media } = chooseOf(sdp);
      this.#chosen = media;
      this.#peer.answered({ ice: answer.ice, dtls: answer.dtls });
    } catch (error) {
      log.warn({ sessionId: name, err: error }, 'the answer of a LiveKit server cannot be used');
      return this.#ended({ kind: 'refused', text: 'The answer of the LiveKit server cannot be used.' });
    }
    for (const candidate of candidatesIn(sdp)) this.#hear(candidate);
    this.#stage = 'answered';
    for (const candidate of this.#ownCandidates.splice(0)) this.#tell(candidate);
    for (const candidate of this.#theirCandidates.splice(0)) this.#peer.addCandidate(candidate);
  }

  #tell(candidate: string): void {
    if (this.#stage === 'joining') this.#ownCandidates.push(candidate);
    else this.#socket.send(writeCandidate(candidate, FIRST_MID));
  }

  #hear(candidate: string): void {
    if (this.#heard >= MAX_CANDIDATES) return;
    if (!isUsableCandidate(candidate, { privateAddresses: isAllowed(this.#options) ? 'allowed' : 'refused' })) return;
    this.#heard += 1;
    if (this.#stage === 'joining') this.#theirCandidates.push(candidate);
    else this.#peer.addCandidate(candidate);
  }

  #ended(end: LinkEnd): void {
    if (this.#stage === 'over') return;
    this.close('silently');
    this.#options.handlers.ended(end);
  }
}

/** @throws OfferError when the server's answer is not one, or leaves voice or face out. */
function chooseOf(sdp: string) {
  const answer = parseOffer(sdp);
  const media = chooseMedia(answer, ['vp8']);
  if (media.video === null || media.audio === null) throw new OfferError('The answer takes no voice or no face.');
  return { answer, media };
}

/** The operator allowed the server itself although it is not public: so its media are not, either. */
function isAllowed({ address, allowed }: Pick<RoomLinkOptions, 'address' | 'allowed'>): boolean {
  const url = new URL(address.url);
  return allowed.allows(url.hostname, portOf(url));
}
