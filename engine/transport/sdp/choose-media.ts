import { OfferError, type Offer, type OfferedCodec, type OfferedSection } from './parse-offer.ts';

export type VideoCodec = 'h264' | 'vp8';

/** H.264 first: its encoder costs less for the same frame, and all hardware decodes it. */
export const DEFAULT_VIDEO_CODECS: readonly VideoCodec[] = ['h264', 'vp8'];

export const TRANSPORT_SEQUENCE_URI = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01';
export const PLAYOUT_DELAY_URI = 'http://www.webrtc.org/experiments/rtp-hdrext/playout-delay';

/** Congestion control needs reports on every packet. */
const TRANSPORT_FEEDBACK = 'transport-cc';
/** RTCP feedback that the sender handles. An answer may only name kinds of the offer (RFC 4585, section 4.2). */
const FEEDBACK_KINDS = [TRANSPORT_FEEDBACK, 'nack', 'nack pli', 'ccm fir', 'goog-remb'];

export interface ChosenVideo {
  readonly mid: string;
  readonly codec: VideoCodec;
  readonly payloadType: number;
  /** Payload type of a separate stream of retransmissions (RTX, RFC 4588); null when the client does not know it. */
  readonly rtxPayloadType: number | null;
  /** Value of `a=fmtp` for the answer; null without one. */
  readonly parameters: string | null;
  /** Kinds of RTCP feedback that the client offers and the sender handles. */
  readonly feedback: readonly string[];
  /** Header extension id for transport-wide sequence numbers; null when the client does not report on them. */
  readonly transportSequenceId: number | null;
  /** Header extension id for how long a frame should be held; null when the client does not know it. */
  readonly playoutDelayId: number | null;
}

export interface ChosenAudio {
  readonly mid: string;
  readonly payloadType: number;
  /** Whether the client may send a microphone. */
  readonly direction: 'sendrecv' | 'sendonly';
}

/** What the answer accepts. A section that is missing here is rejected in the answer. */
export interface ChosenMedia {
  readonly video: ChosenVideo | null;
  readonly audio: ChosenAudio | null;
  readonly channelMid: string | null;
}

/**
 * Picks the first usable section of each kind and the codec in it.
 * @throws OfferError when nothing of the offer can be used.
 */
export function chooseMedia(offer: Offer, videoCodecs: readonly VideoCodec[] = DEFAULT_VIDEO_CODECS): ChosenMedia {
  const chosen: ChosenMedia = {
    video: first(offer.sections, 'video', (section) => chooseVideo(section, videoCodecs)),
    audio: first(offer.sections, 'audio', chooseAudio),
    channelMid: first(offer.sections, 'application', (section) => section.mid),
  };
  if (!chosen.video && !chosen.audio && chosen.channelMid === null)
    throw new OfferError('The offer has no codec in common with this service.');
  return chosen;
}

function first<T>(
  sections: readonly OfferedSection[],
  kind: OfferedSection['kind'],
  choose: (section: OfferedSection) => T | null,
): T | null {
  for (const section of sections) {
    const choice = section.kind === kind ? choose(section) : null;
    if (choice !== null) return choice;
  }
  return null;
}

function chooseVideo(section: OfferedSection, preference: readonly VideoCodec[]): ChosenVideo | null {
  if (section.direction === 'sendonly' || section.direction === 'inactive') return null;
  for (const codec of preference) {
    const found =
      codec === 'h264' ? findH264(section.codecs) : section.codecs.find((offered) => offered.name === 'vp8');
    if (!found) continue;
    const profile = found.parameters['profile-level-id'];
    const parameters =
      codec === 'h264'
        ? `level-asymmetry-allowed=1;packetization-mode=1${profile ? `;profile-level-id=${profile}` : ''}`
        : null;
    const feedback = FEEDBACK_KINDS.filter((kind) => found.feedback.includes(kind));
    const transportSequenceId = extensionId(section, TRANSPORT_SEQUENCE_URI);
    return {
      mid: section.mid,
      codec,
      payloadType: found.payloadType,
      rtxPayloadType: rtxOf(found, section.codecs),
      parameters,
      // One without the other says nothing.
      feedback: transportSequenceId === null ? feedback.filter((kind) => kind !== TRANSPORT_FEEDBACK) : feedback,
      transportSequenceId: feedback.includes(TRANSPORT_FEEDBACK) ? transportSequenceId : null,
      playoutDelayId: extensionId(section, PLAYOUT_DELAY_URI),
    };
  }
  return null;
}

function rtxOf({ payloadType }: OfferedCodec, codecs: readonly OfferedCodec[]): number | null {
  return (
    codecs.find(({ name, parameters }) => name === 'rtx' && parameters['apt'] === String(payloadType))?.payloadType ??
    null
  );
}

/** One-byte header extensions have ids 1 to 14. */
function extensionId(section: OfferedSection, uri: string): number | null {
  const id = section.extensions.get(uri);
  return id !== undefined && id >= 1 && id <= 14 ? id : null;
}

/**
 * Packets hold parts of frames (mode 1). The encoder's own profile first, then what every decoder of the offer supports
 * anyway.
 */
function findH264(codecs: readonly OfferedCodec[]): OfferedCodec | undefined {
  const fit = codecs.filter((codec) => codec.name === 'h264' && codec.parameters['packetization-mode'] === '1');
  const withProfile = (start: string): OfferedCodec | undefined =>
    fit.find((codec) => codec.parameters['profile-level-id']?.toLowerCase().startsWith(start));
  return withProfile('42e01f') ?? withProfile('42e0') ?? withProfile('42') ?? fit[0];
}

function chooseAudio(section: OfferedSection): ChosenAudio | null {
  if (section.direction === 'sendonly' || section.direction === 'inactive') return null;
  const opus = section.codecs.find((codec) => codec.name === 'opus' && codec.clockRate === 48_000);
  return opus
    ? {
        mid: section.mid,
        payloadType: opus.payloadType,
        direction: section.direction === 'sendrecv' ? 'sendrecv' : 'sendonly',
      }
    : null;
}
