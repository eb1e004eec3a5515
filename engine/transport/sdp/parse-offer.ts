/** An offer that cannot be answered. The message names what is missing; it holds nothing of the offer itself. */
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
  /** The `m=` line as written, which a rejection retransmissions. */
  readonly line: string;
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
  /** The client's ICE user name, which its checks carry. */
  readonly ufrag: string;
  /** Mids of the bundle, in order; the first one's transport carries everything. */
  readonly bundle: readonly string[];
  /** Null when no data channel is offered. */
  readonly sctp: { readonly port: number; readonly syntax: 'modern' | 'legacy' } | null;
}

/** Browsers write 3 sections; a stranger may add a few that are then rejected. */
const MAX_SECTIONS = 16;
const DEFAULT_SCTP_PORT = 5000;

/** @throws OfferError when the text is not an SDP that a WebRTC answer can be made for. */
export function parseOffer(sdp: string): Offer {
  const [session, ...media] = sdp.split(/^(?=m=)/m).map((part) => part.split(/\r?\n/).filter((line) => line !== ''));
  if (!session?.[0]?.startsWith('v=0')) throw new OfferError('The offer is not an SDP.');
  if (media.length === 0) throw new OfferError('The offer has no media sections.');
  if (media.length > MAX_SECTIONS) throw new OfferError('The offer has too many media sections.');
  const sections = media.map(parseSection);
  const group = valueOf(session, 'group:BUNDLE ')?.split(' ').filter(Boolean) ?? [];
  const bundle = group.length > 0 ? group : sections.map((section) => section.mid);
  const transport = media[sections.findIndex((section) => section.mid === bundle[0])];
  if (!transport) throw new OfferError('The offer bundles a section that it does not have.');
  const ufrag = valueOf(transport, 'ice-ufrag:') ?? valueOf(session, 'ice-ufrag:');
  if (!ufrag) throw new OfferError('The offer has no ICE credentials.');
  const application = media[sections.findIndex((section) => section.kind === 'application')];
  return {
    sections,
    bundle,
    ufrag,
    dtls: parseDtls(transport, session),
    sctp: application ? parseSctp(application) : null,
  };
}

function parseSection(lines: readonly string[], index: number): OfferedSection {
  const line = lines[0]!;
  const [kind = '', , , ...formats] = line.slice(2).split(' ');
  const maps = new Map(valuesOf(lines, 'rtpmap:').map((value) => splitOnce(value, ' ')));
  const parameters = new Map(valuesOf(lines, 'fmtp:').map((value) => splitOnce(value, ' ')));
  const feedback = valuesOf(lines, 'rtcp-fb:').map((value) => splitOnce(value, ' '));
  const codecs = formats.flatMap((format): OfferedCodec[] => {
    const [name = '', clockRate = ''] = maps.get(format)?.split('/') ?? [];
    if (name === '') return [];
    // `*` speaks of every format (RFC 4585, section 4.2).
    const kinds = feedback.flatMap(([formatOrAll, kind]) =>
      formatOrAll === format || formatOrAll === '*' ? [kind.trim()] : [],
    );
    return [
      {
        payloadType: Number(format),
        name: name.toLowerCase(),
        clockRate: Number(clockRate),
        parameters: parseParameters(parameters.get(format) ?? ''),
        feedback: kinds,
      },
    ];
  });
  const extensions = valuesOf(lines, 'extmap:').map((value): [string, number] => {
    const [id = '', uri = ''] = value.split(' ');
    return [uri, Number.parseInt(id, 10)];
  });
  return {
    kind: kind === 'audio' || kind === 'video' || kind === 'application' ? kind : 'other',
    line,
    mid: valueOf(lines, 'mid:') ?? String(index),
    direction:
      (['sendonly', 'recvonly', 'inactive'] as const).find((direction) => lines.includes(`a=${direction}`)) ??
      'sendrecv',
    codecs,
    extensions: new Map(extensions),
  };
}

function parseDtls(transport: readonly string[], session: readonly string[]): DtlsParameters {
  const fingerprints = [...valuesOf(transport, 'fingerprint:'), ...valuesOf(session, 'fingerprint:')];
  const fingerprint = fingerprints.find((value) => value.toLowerCase().startsWith('sha-256 ')) ?? fingerprints[0];
  if (!fingerprint || !/^sha-\d+ [0-9a-f:]+$/i.test(fingerprint))
    throw new OfferError('The offer has no DTLS fingerprint.');
  const setup = valueOf(transport, 'setup:') ?? valueOf(session, 'setup:') ?? 'actpass';
  if (setup !== 'actpass' && setup !== 'active' && setup !== 'passive')
    throw new OfferError('The offer has an unknown DTLS role.');
  return { fingerprint, setup };
}

/** `a=sctp-port` (RFC 8841) or the older `a=sctpmap` that some clients still write. */
function parseSctp(lines: readonly string[]): Offer['sctp'] {
  const legacy = /^m=application \d+ DTLS\/SCTP (\d+)/.exec(lines[0]!);
  if (legacy) return { port: Number(legacy[1]), syntax: 'legacy' };
  return { port: Number(valueOf(lines, 'sctp-port:') ?? DEFAULT_SCTP_PORT), syntax: 'modern' };
}

function parseParameters(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(';')
      .map((pair) => pair.trim())
      .filter(Boolean)
      .map((pair) => {
        const [key, value] = splitOnce(pair, '=');
        return [key.toLowerCase(), value];
      }),
  );
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function valuesOf(lines: readonly string[], attribute: string): string[] {
  const prefix = `a=${attribute}`;
  return lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length).trim());
}

function valueOf(lines: readonly string[], attribute: string): string | null {
  return valuesOf(lines, attribute)[0] ?? null;
}
