import type { RoomAddress } from '../../actors/session-config.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/log.ts';
import { portOf, type PrivateHosts } from '../net/index.ts';
import { openNativeOfferer } from '../transport/native/native-offerer.ts';
import { chooseMedia, type ChosenMedia } from '../transport/sdp/choose-media.ts';
import { OfferError, parseOffer } from '../transport/sdp/parse-offer.ts';
import { FIRST_MID, PUBLISHED_PAYLOAD_TYPES, publisherOffer, type PublishedStreams } from './publisher-offer.ts';
import { candidatesIn, isUsableCandidate } from './room-candidates.ts';
import { openRoomSocket } from './room-socket.ts';
import { joinUrl, readSignal, writeCandidate, type RoomSignal } from './signal-messages.ts';

/** Channels of LiveKit. What agents and avatars tell each other goes over the reliable one. */
const RELIABLE = '_reliable';
const LOSSY = '_lossy';
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
  const { handlers, timers, log, streams, streamId, video } = options;
  let stage: 'joining' | 'answered' | 'over' = 'joining';
  let chosen: ChosenMedia | null = null;
  /** Checks that come before the answer is applied would find a peer that does not know the server's certificate. */
  const ownCandidates: string[] = [];
  const theirCandidates: string[] = [];
  const rule = { privateAddresses: isAllowed(options) ? ('allowed' as const) : ('refused' as const) };

  const peer = openNativeOfferer({
    name: options.name,
    payloadTypes: PUBLISHED_PAYLOAD_TYPES,
    channels: [
      { label: RELIABLE, delivery: 'reliable' },
      { label: LOSSY, delivery: 'lossy' },
    ],
    log,
    handlers: {
      connected() {
        timers.clearTimeout(deadline);
        if (chosen !== null) handlers.connected(chosen);
      },
      ended: () => ended({ kind: 'lost', text: 'The media connection ended.' }),
      media: handlers.media,
      channelOpened: (label) => {
        if (label === RELIABLE) handlers.channelOpened();
      },
      message: handlers.data,
      candidate: (candidate) => tell(candidate),
    },
  });
  const deadline = timers.setTimeout(
    () => ended({ kind: 'lost', text: 'No media connection came about.' }),
    CONNECT_WITHIN_MS,
  );
  const offer = publisherOffer({ ice: peer.ice, dtls: peer.dtls, streams, streamId });
  const socket = openRoomSocket({
    url: joinUrl(options.address.url, { sdp: offer, streamId, video: { ...video, ssrc: streams.videoSsrc } }),
    token: options.address.token,
    allowed: options.allowed,
    timers,
    handlers: {
      message(bytes) {
        const signal = readSignal(bytes);
        if (signal !== null) take(signal);
      },
      ended,
    },
  });

  function close(how: 'leave' | 'silently'): void {
    if (stage === 'over') return;
    stage = 'over';
    timers.clearTimeout(deadline);
    socket.close(how);
    peer.close();
  }
  function ended(end: LinkEnd): void {
    if (stage === 'over') return;
    close('silently');
    handlers.ended(end);
  }
  function tell(candidate: string): void {
    if (stage === 'joining') ownCandidates.push(candidate);
    else socket.send(writeCandidate(candidate, FIRST_MID));
  }
  function hear(candidate: string): void {
    if (!isUsableCandidate(candidate, rule)) return;
    if (stage === 'joining') theirCandidates.push(candidate);
    else peer.addCandidate(candidate);
  }

  function answered(sdp: string): void {
    if (stage !== 'joining') return;
    try {
      const answer = parseOffer(sdp);
      const media = chooseMedia(answer, ['vp8']);
      if (media.video === null || media.audio === null) throw new OfferError('The answer takes no voice or no face.');
      chosen = media;
      peer.answered({ ice: answer.ice, dtls: answer.dtls });
    } catch (error) {
      log.warn({ sessionId: options.name, err: error }, 'the answer of a LiveKit server cannot be used');
      return ended({ kind: 'refused', text: 'The answer of the LiveKit server cannot be used.' });
    }
    for (const candidate of candidatesIn(sdp)) hear(candidate);
    stage = 'answered';
    for (const candidate of ownCandidates.splice(0)) tell(candidate);
    for (const candidate of theirCandidates.splice(0)) peer.addCandidate(candidate);
  }

  function take(signal: RoomSignal): void {
    if (stage === 'over') return;
    switch (signal.type) {
      case 'joined':
        socket.watch(signal.pingEvery, signal.pingTimeout);
        return handlers.joined(signal.present);
      case 'answer':
        return answered(signal.sdp);
      case 'candidate':
        return hear(signal.candidate);
      case 'participants':
        return handlers.participants(signal.here, signal.gone);
      case 'token':
        return handlers.token(signal.token);
      case 'leave':
        return ended({ kind: signal.kind === 'for good' ? 'left' : 'lost', text: `LiveKit: ${signal.reason}.` });
      case 'other':
    }
  }

  return {
    sendMedia: (packet) => stage === 'answered' && peer.sendMedia(packet),
    sendData: (bytes) => stage === 'answered' && peer.sendMessage(RELIABLE, bytes),
    close,
  };
}

/** The operator allowed the server itself although it is not public: so its media are not, either. */
function isAllowed({ address, allowed }: Pick<RoomLinkOptions, 'address' | 'allowed'>): boolean {
  const url = new URL(address.url);
  return allowed.allows(url.hostname, portOf(url));
}
