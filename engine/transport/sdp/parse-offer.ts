import { parse, parseParams, type MediaDescription } from 'sdp-transform';
import type { IceCredentials } from '../ice/credentials.ts';

/** An offer that cannot be answered. The message names what is missing; it contains no part of the offer. */
export class OfferError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OfferError';
  }
}

/** One format of an `m=` line, in the order of the client's preference. */
export interface OfferedCodec {
  readonly payloadType: number;
  /** Lower case, for example `h264`, `vp8`, `opus`. */
  readonly name: string;
  readonly clockRate: number;
  /** Parameters of `a=fmtp`, keys lower case. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Kinds of RTCP feedback (`a=rtcp-fb`), for example `nack pli`. */
  readonly feedback: readonly string[];
}

export interface OfferedSection {
  readonly kind: 'audio' | 'video' | 'application' | 'other';
  /** The `m=` line without its port: a rejection repeats it. */
  readonly media: { readonly type: string; readonly protocol: string; readonly formats: string };
  readonly mid: string;
  readonly direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
  readonly codecs: readonly OfferedCodec[];
  /** Ids of the RTP header extensions by URI. */
  readonly extensions: ReadonlyMap<string, number>;
}

export interface DtlsParameters {
  /** Hash name and value as in `a=fingerprint`. */
  readonly fingerprint: string;
  readonly setup: 'actpass' | 'active' | 'passive';
}

export interface Offer {
  readonly sections: readonly OfferedSection[];
  readonly dtls: DtlsParameters;
  /** The client's ICE credentials. */
  readonly ice: IceCredentials;
  /** Mids of the bundle, in order; the first one's transport carries everything. */
  readonly bundle: readonly string[];
  /** Null when no data channel is offered. */
  readonly sctp: { readonly port: number; readonly syntax: 'modern' | 'legacy' } | null;
}

/** The most characters of an offer. A browser with every existing codec writes 10,000. */
export const MAX_SDP_CHARS = 128 * 1024;
/**
 * The most lines. A browser writes some 300. The parser needs 2 µs for each, because it tries 60 rules on an unknown
 * line.
 */
const MAX_LINES = 4_000;
/** Browsers write 3 sections. Other clients may add a few, which are then rejected. */
const MAX_SECTIONS = 16;
const DEFAULT_SCTP_PORT = 5000;
/** Seven bits of the RTP header. */
const MAX_PAYLOAD_TYPE = 127;

/** @throws OfferError when the text is not an SDP that a WebRTC answer can be made for. */
export function parseOffer(sdp: string): Offer {
  if (sdp.length > MAX_SDP_CHARS) throw new OfferError('The offer is too long.');
  const lines = sdp.split(/\r\n|\r|\n/, MAX_LINES + 1);
  if (lines.length > MAX_LINES) throw new OfferError('The offer has too many lines.');
  const session = parse(sdp);
  if (session.version !== 0 || lines[0] !== 'v=0') throw new OfferError('The offer is not an SDP.');
  if (session.media.length === 0) throw new OfferError('The offer has no media sections.');
  if (session.media.length > MAX_SECTIONS) throw new OfferError('The offer has too many media sections.');
  const sections = session.media.map(parseSection);
  const group = session.groups?.find(({ type }) => type === 'BUNDLE');
  const bundle = group ? String(group.mids).split(' ').filter(Boolean) : sections.map((section) => section.mid);
  const transportIndex = sections.findIndex((section) => section.mid === bundle[0]);
  const transport = session.media[transportIndex];
  if (!transport) throw new OfferError('The offer bundles a section that it does not have.');
  const ufrag = String(transport.iceUfrag ?? session.iceUfrag ?? '');
  if (ufrag === '') throw new OfferError('The offer has no ICE credentials.');
  const application = session.media.find(({ type }) => type === 'application');
  return {
    sections,
    bundle,
    // Only checks of our own need the password.
    ice: { ufrag, password: String(transport.icePwd ?? session.icePwd ?? '') },
    dtls: {
      fingerprint: chooseFingerprint([...fingerprintsOf(lines, transportIndex), ...fingerprintsOf(lines, null)]),
      setup: parseSetup(transport.setup ?? session.setup),
    },
    sctp: application ? parseSctp(application) : null,
  };
}

/** The library turns everything that looks like a number into one. `String` restores what was written. */
function parseSection(media: MediaDescription, index: number): OfferedSection {
  const [type, formats] = [String(media.type ?? ''), String(media.payloads ?? '')];
  if (type === '') throw new OfferError('The offer has a media section that is not SDP.');
  const codecs = formats.split(' ').flatMap((format): OfferedCodec[] => {
    const map = media.rtp.find(({ payload }) => String(payload) === format);
    if (!map || !/^\d{1,3}$/.test(format) || Number(format) > MAX_PAYLOAD_TYPE) return [];
    // `*` means every format (RFC 4585, section 4.2).
    const feedback = (media.rtcpFb ?? []).filter(({ payload }) => payload === '*' || String(payload) === format);
    return [
      {
        payloadType: Number(format),
        name: String(map.codec).toLowerCase(),
        clockRate: Number(map.rate),
        parameters: parametersOf(media, format),
        feedback: feedback.map(({ type: kind, subtype }) => (subtype === undefined ? kind : `${kind} ${subtype}`)),
      },
    ];
  });
  return {
    kind: type === 'audio' || type === 'video' || type === 'application' ? type : 'other',
    media: { type, protocol: String(media.protocol), formats },
    mid: String(media.mid ?? index),
    direction: media.direction ?? 'sendrecv',
    codecs,
    extensions: new Map(media.ext?.map(({ uri, value }) => [String(uri), Number(value)])),
  };
}

function parametersOf(media: MediaDescription, format: string): Record<string, string> {
  const line = media.fmtp.find(({ payload }) => String(payload) === format);
  const parameters = Object.entries(parseParams(String(line?.config ?? '')));
  return Object.fromEntries(parameters.map(([key, value]) => [key.trim().toLowerCase(), String(value ?? '')]));
}

/**
 * A description may have several fingerprints (RFC 8122); the library keeps the last one.
 * @param section counted from 0; null: of the session, before the first section.
 */
function fingerprintsOf(lines: readonly string[], section: number | null): string[] {
  const starts = lines.flatMap((line, index) => (line.startsWith('m=') ? [index] : []));
  const own = section === null ? lines.slice(0, starts[0]) : lines.slice(starts[section], starts[section + 1]);
  return own.flatMap((line) => (line.startsWith('a=fingerprint:') ? [line.slice('a=fingerprint:'.length).trim()] : []));
}

function chooseFingerprint(offered: readonly string[]): string {
  const fingerprint = offered.find((value) => value.toLowerCase().startsWith('sha-256 ')) ?? offered[0];
  if (!fingerprint || !/^sha-\d+ [0-9a-f:]+$/i.test(fingerprint))
    throw new OfferError('The offer has no DTLS fingerprint.');
  return fingerprint;
}

function parseSetup(setup: string = 'actpass'): DtlsParameters['setup'] {
  if (setup !== 'actpass' && setup !== 'active' && setup !== 'passive')
    throw new OfferError('The offer has an unknown DTLS role.');
  return setup;
}

/** `a=sctp-port` (RFC 8841) or the older `a=sctpmap` that some clients still write. */
function parseSctp(media: MediaDescription): Offer['sctp'] {
  if (media.protocol === 'DTLS/SCTP' && /^\d+$/.test(String(media.payloads)))
    return { port: Number(media.payloads), syntax: 'legacy' };
  return { port: Number(media.sctpPort ?? DEFAULT_SCTP_PORT), syntax: 'modern' };
}
