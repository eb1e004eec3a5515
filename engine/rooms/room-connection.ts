import { randomBytes } from 'node:crypto';
import type { RoomAddress } from '../../actors/session-config.ts';
import { engineNow, systemTimers } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/log.ts';
import type { EncodedAudioFrame, EncodedVideoFrame } from '../media/media-types.ts';
import type { PrivateHosts } from '../net/index.ts';
import type { RevocationHandlers, MediaConnection, MediaHandlers } from '../ports.ts';
import type { ConnectionState } from '../transport/connection-state.ts';
import { MediaSender } from '../transport/media-sender.ts';
import { parseFeedback } from '../transport/rtcp/parse-feedback.ts';
import { FIRST_REPORTS_EVERY_MS, ReportSchedule } from '../transport/rtcp/report-schedule.ts';
import { writeReports } from '../transport/rtcp/write-reports.ts';
import { isRtcp } from '../transport/rtp/rtp-packet.ts';
import type { ChosenMedia } from '../transport/sdp/choose-media.ts';
import { OfferError } from '../transport/sdp/parse-offer.ts';
import { RoomAllowances } from './room-allowances.ts';
import { PacedReader } from './paced-reader.ts';
import { openRoomLink, type LinkEnd, type RoomLink } from './room-link.ts';

/** Waits before the tries to come back, ms; the last one is repeated. The session itself gives up after a minute. */
const COME_BACK_AFTER_MS = [0, 250, 500, 1_000, 2_000, 3_000];

/** What happens in the room besides the media. */
export interface RoomHandlers {
  /** Who is there after joining; called again after each outage. */
  joined(present: readonly string[]): void;
  participants(here: readonly string[], gone: readonly string[]): void;
  data(bytes: Uint8Array): void;
  /** Data can be sent; again after each outage. */
  channelOpened(): void;
  /** The persona is out of the room, and does not come back. */
  over(end: LinkEnd): void;
}

export interface RoomConnectionOptions {
  readonly sessionId: string;
  readonly address: RoomAddress;
  readonly allowed: PrivateHosts;
  readonly handlers: MediaHandlers;
  readonly room: RoomHandlers;
  readonly video: {
    readonly width: number;
    readonly height: number;
    readonly ceiling: number;
    readonly quality: 'auto' | 'high';
  };
  readonly log: Logger;
}

/**
 * A persona's connection to a LiveKit room, where the server is what a client is elsewhere. Streams belong to the
 * session; when socket or peer are lost, the persona joins again with fresh ones and the newest token.
 */
export class RoomConnection implements MediaConnection {
  readonly videoCodec = 'vp8';
  readonly heardAt = null;
  readonly #options: RoomConnectionOptions;
  readonly #sender: MediaSender;
  readonly #reports = new ReportSchedule();
  readonly #allowances: RoomAllowances;
  readonly #streamId = `parley-${randomBytes(6).toString('hex')}`;
  readonly #reading: PacedReader;
  readonly #reporting: NodeJS.Timeout;
  #token: string;
  #link: RoomLink | null = null;
  #state: 'never connected' | 'connected' | 'away' | 'over' = 'never connected';
  /** Since the last stay. */
  #tries = 0;
  #waiting: unknown = null;

  constructor(options: RoomConnectionOptions) {
    const { handlers, room, video } = options;
    this.#options = options;
    this.#token = options.address.token;
    const { sessionId, log } = options;
    this.#allowances = new RoomAllowances(systemTimers, {
      exceeded: (kind) => log.warn({ sessionId, kind }, 'a room sends too much: what is over the limit is dropped'),
      tooMuch: () => this.#ended({ kind: 'refused', text: 'The room sends too much.' }),
    });
    this.#reading = new PacedReader((bytes) => room.data(bytes));
    this.#sender = new MediaSender(
      {
        transmit: (packet) => void this.#link?.sendMedia(packet),
        keyframeRequested: () => handlers.keyframeRequested(),
        bitrateEstimated: (bitsPerSecond) => handlers.bitrateEstimated(bitsPerSecond),
        audioLost: (share) => handlers.audioLost(share),
      },
      video,
    );
    this.#reporting = setInterval(() => this.#report(engineNow()), FIRST_REPORTS_EVERY_MS);
    this.#join();
  }

  sendAudio(frame: EncodedAudioFrame): void {
    if (this.#state === 'connected') this.#sender.sendAudio(frame);
  }

  sendVideo(frame: EncodedVideoFrame): void {
    if (this.#state === 'connected') this.#sender.sendVideo(frame);
  }

  /** @returns false while the room cannot be reached. */
  sendData(bytes: Uint8Array): boolean {
    return this.#link?.sendData(bytes) ?? false;
  }

  /** Nobody in a room reads the messages of Parley's own clients. */
  sendMessage(_text: string): void {}

  acceptOffer(_sdp: string): never {
    throw new OfferError('The session is in a room: nobody else connects.');
  }

  addCandidate(_candidate: string, _sdpMid: string | null): void {}

  /** Nothing goes on elsewhere: these sessions have no journal. */
  revokeConsent({ refused }: RevocationHandlers): void {
    refused();
  }

  state(): ConnectionState {
    return {
      client: null,
      sessionNumber: '0',
      streamId: this.#streamId,
      answers: 0,
      sender: this.#sender.state(),
      arrived: 0,
      sent: 0,
      flowing: this.#state === 'connected',
    };
  }

  close(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    clearInterval(this.#reporting);
    systemTimers.clearTimeout(this.#waiting);
    this.#link?.close('leave');
    this.#link = null;
    this.#reading.close();
    this.#sender.close();
  }

  #join(): void {
    const { sessionId, address, allowed, handlers, room, video, log } = this.#options;
    const { cname, audioSsrc, videoSsrc, videoRtxSsrc } = this.#sender;
    const inCharge =
      <Args extends unknown[]>(run: (...args: Args) => void) =>
      (...args: Args): void => {
        if (this.#link === link && this.#state !== 'over') run(...args);
      };
    const link: RoomLink = this.#open({
      name: sessionId,
      address: { url: address.url, token: this.#token },
      allowed,
      streams: { cname, audioSsrc, videoSsrc, videoRtxSsrc },
      streamId: this.#streamId,
      video: { width: video.width, height: video.height, bitrate: video.ceiling },
      timers: systemTimers,
      log,
      handlers: {
        joined: inCharge((present) => room.joined(present)),
        connected: inCharge((chosen) => this.#connected(chosen)),
        channelOpened: inCharge(() => {
          handlers.channelOpened();
          room.channelOpened();
        }),
        token: inCharge((token) => void (this.#token = token)),
        participants: inCharge((here, gone) => room.participants(here, gone)),
        media: inCharge((packet) => this.#media(packet)),
        data: inCharge((bytes) => {
          if (this.#allowances.admitsData(bytes.byteLength)) this.#reading.push(bytes);
        }),
        ended: inCharge((end) => this.#ended(end)),
      },
    });
    this.#link = link;
  }

  /** What a peer lacks now, the next one may have. */
  #open(options: Parameters<typeof openRoomLink>[0]): RoomLink {
    try {
      return openRoomLink(options);
    } catch (error) {
      this.#options.log.error({ sessionId: this.#options.sessionId, err: error }, 'no peer for a LiveKit room');
      queueMicrotask(() => options.handlers.ended({ kind: 'lost', text: 'No peer could be made.' }));
      return { sendMedia: () => false, sendData: () => false, close() {} };
    }
  }

  #connected(chosen: ChosenMedia): void {
    const { handlers } = this.#options;
    const kind = this.#state === 'never connected' ? 'first' : 'renewed';
    this.#state = 'connected';
    this.#tries = 0;
    this.#sender.configure(chosen);
    this.#sender.peerChanged();
    this.#reports.restart();
    handlers.path('udp');
    handlers.connected(kind);
    if (this.#sender.awaitsKeyframe) handlers.keyframeRequested();
  }

  #ended(end: LinkEnd): void {
    const { handlers, room, log, sessionId } = this.#options;
    if (this.#state === 'over') return;
    if (end.kind === 'refused') this.#link?.close('leave');
    this.#link = null;
    if (end.kind !== 'lost') {
      this.close();
      return room.over(end);
    }
    log.warn({ sessionId, problem: end.text }, 'the way to a LiveKit room is lost');
    if (this.#state === 'connected') {
      this.#state = 'away';
      handlers.quiet(null);
    }
    const wait = COME_BACK_AFTER_MS[Math.min(this.#tries, COME_BACK_AFTER_MS.length - 1)]!;
    this.#tries += 1;
    this.#waiting = systemTimers.setTimeout(() => {
      if (this.#state !== 'over') this.#join();
    }, wait);
  }

  #media(packet: Buffer): void {
    if (!isRtcp(packet) || !this.#allowances.admitsFeedback()) return;
    for (const feedback of parseFeedback(packet)) this.#sender.heard(feedback);
  }

  #report(now: number): void {
    if (this.#state !== 'connected' || !this.#reports.due(now)) return;
    const { cname } = this.#sender;
    const reports = writeReports({ now, cname, streams: this.#sender.reports(now), received: null });
    if (reports === null) return;
    this.#link?.sendMedia(reports);
    this.#reports.sent(now);
  }
}
