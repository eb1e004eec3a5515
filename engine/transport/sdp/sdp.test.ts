import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseMedia } from './choose-media.ts';
import { OfferError, parseOffer } from './parse-offer.ts';
import { candidateLines, writeAnswer, type AnswerTransport } from './write-answer.ts';

const FINGERPRINT =
  'sha-256 AA:BB:CC:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC';
const TRANSPORT_LINES = [
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuv',
  `a=fingerprint:${FINGERPRINT}`,
  'a=setup:actpass',
];
const TWCC = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01';
const PLAYOUT_DELAY = 'http://www.webrtc.org/experiments/rtp-hdrext/playout-delay';

const sdp = (...lines: string[]): string =>
  `${['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', ...lines].join('\r\n')}\r\n`;

/** As a browser writes it: video, sound, channel. */
const browser = sdp(
  'a=group:BUNDLE 0 1 2',
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97 102 108 109 39',
  ...TRANSPORT_LINES,
  'a=mid:0',
  `a=extmap:4 ${TWCC}`,
  `a=extmap:6 ${PLAYOUT_DELAY}`,
  'a=recvonly',
  'a=rtcp-mux',
  'a=rtpmap:96 VP8/90000',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
  'a=rtpmap:102 H264/90000',
  'a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f',
  'a=rtpmap:108 H264/90000',
  'a=fmtp:108 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  'a=rtpmap:109 rtx/90000',
  'a=fmtp:109 apt=108',
  ...[96, 102, 108, 39].flatMap((pt) =>
    ['goog-remb', 'transport-cc', 'ccm fir', 'nack', 'nack pli'].map((kind) => `a=rtcp-fb:${pt} ${kind}`),
  ),
  'a=rtpmap:39 H264/90000',
  'a=fmtp:39 level-asymmetry-allowed=1;packetization-mode=0;profile-level-id=42e01f',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 63',
  ...TRANSPORT_LINES,
  'a=mid:1',
  'a=sendrecv',
  'a=msid:- {track}',
  'a=rtpmap:111 opus/48000/2',
  'a=rtpmap:63 red/48000/2',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  ...TRANSPORT_LINES,
  'a=mid:2',
  'a=sctp-port:5000',
  'a=max-message-size:262144',
);

/**
 * As the Python client writes it: older data-channel lines, separate credentials for each section, sound only received.
 */
const python = sdp(
  'a=group:BUNDLE 0 1 2',
  'm=audio 5000 UDP/TLS/RTP/SAVPF 96 0',
  'a=recvonly',
  'a=mid:0',
  'a=rtpmap:96 opus/48000/2',
  'a=rtpmap:0 PCMU/8000',
  'a=ice-ufrag:one1',
  'a=ice-pwd:1111111111111111111111',
  'a=fingerprint:sha-512 00:11',
  `a=fingerprint:${FINGERPRINT}`,
  'a=setup:actpass',
  'm=video 5001 UDP/TLS/RTP/SAVPF 97 98 99',
  'a=recvonly',
  'a=mid:1',
  'a=rtpmap:97 VP8/90000',
  'a=rtpmap:98 rtx/90000',
  'a=rtpmap:99 H264/90000',
  'a=fmtp:99 profile-level-id=42001f;packetization-mode=1',
  ...[97, 99].flatMap((pt) => ['nack', 'nack pli', 'goog-remb'].map((kind) => `a=rtcp-fb:${pt} ${kind}`)),
  'a=ice-ufrag:two2',
  'a=ice-pwd:2222222222222222222222',
  'a=fingerprint:sha-256 FF:FF',
  'a=setup:actpass',
  'm=application 5002 DTLS/SCTP 5000',
  'a=mid:2',
  'a=sctpmap:5000 webrtc-datachannel 65535',
  'a=max-message-size:65536',
  'a=ice-ufrag:thr3',
  'a=ice-pwd:3333333333333333333333',
  `a=fingerprint:${FINGERPRINT}`,
  'a=setup:actpass',
);

const identity = {
  sessionNumber: '42',
  streamId: 'stream',
  videoTrackId: 'v',
  audioTrackId: 'a',
  cname: 'name',
  videoSsrc: 1,
  videoRtxSsrc: 3,
  audioSsrc: 2,
};
const transport: AnswerTransport = {
  ice: { ufrag: 'ours', password: 'secret' },
  fingerprint: 'sha-256 01:02',
  setup: 'active',
  reachable: { publicAddresses: ['192.0.2.1', '2001:db8::1'] },
  port: 8081,
  tcpPort: null,
};

function answer(text: string, videoCodecs?: ('h264' | 'vp8')[]): string[][] {
  const offer = parseOffer(text);
  const written = writeAnswer({ offer, chosen: chooseMedia(offer, videoCodecs), identity, transport, version: 3 });
  return written.split(/^(?=m=)/m).map((part) => part.split('\r\n').filter(Boolean));
}

describe('the codec', () => {
  it('is the constrained baseline profile in packetization mode 1 where it is offered', () => {
    expect(chooseMedia(parseOffer(browser)).video).toMatchObject({
      codec: 'h264',
      payloadType: 108,
      parameters: expect.stringContaining('profile-level-id=42e01f'),
      transportSequenceId: 4,
    });
  });

  it('is another H.264 profile rather than VP8', () => {
    expect(chooseMedia(parseOffer(python)).video).toMatchObject({
      codec: 'h264',
      payloadType: 99,
      transportSequenceId: null,
    });
  });

  it('is VP8 when the order says so, or when H.264 comes in no usable form', () => {
    expect(chooseMedia(parseOffer(browser), ['vp8', 'h264']).video).toMatchObject({ codec: 'vp8', payloadType: 96 });
    const modeZero = browser.replaceAll('packetization-mode=1', 'packetization-mode=0');
    expect(chooseMedia(parseOffer(modeZero)).video).toMatchObject({ codec: 'vp8' });
  });
});

describe('the answer', () => {
  it('mirrors the sections of the offer on one bundled ICE-lite transport', () => {
    const [session, video, audio, channel] = answer(browser);
    expect(session).toContain('a=group:BUNDLE 0 1 2');
    expect(session).toContain('a=ice-lite');
    expect(video).toEqual(
      expect.arrayContaining([
        'a=mid:0',
        'a=sendonly',
        'a=rtcp-mux',
        'a=rtpmap:108 H264/90000',
        'a=ice-ufrag:ours',
        'a=setup:active',
        'a=fingerprint:sha-256 01:02',
      ]),
    );
    expect(audio).toEqual(
      expect.arrayContaining(['a=mid:1', 'a=sendrecv', 'a=rtpmap:111 opus/48000/2', 'a=fmtp:111 minptime=10;stereo=0']),
    );
    expect(channel).toEqual(
      expect.arrayContaining([
        'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
        'a=mid:2',
        'a=sctp-port:5000',
        'a=max-message-size:65536',
      ]),
    );
  });

  it('takes up the header extensions that the client knows, under its numbers', () => {
    expect(answer(browser)[1]).toEqual(expect.arrayContaining([`a=extmap:4 ${TWCC}`, `a=extmap:6 ${PLAYOUT_DELAY}`]));
    expect(
      answer(python)
        .flat()
        .filter((line) => line.startsWith('a=extmap')),
    ).toEqual([]);
  });

  it('takes retransmissions in a stream of their own from whoever knows how, and ties it to the video', () => {
    const [, video] = answer(browser);
    expect(video![0]).toBe('m=video 9 UDP/TLS/RTP/SAVPF 108 109');
    expect(video).toEqual(
      expect.arrayContaining([
        'a=rtpmap:109 rtx/90000',
        'a=fmtp:109 apt=108',
        'a=ssrc-group:FID 1 3',
        'a=ssrc:1 cname:name',
        'a=ssrc:3 cname:name',
        'a=ssrc:3 msid:stream v',
      ]),
    );
    expect(answer(browser, ['vp8'])[1]![0]).toBe('m=video 9 UDP/TLS/RTP/SAVPF 96 97');
    const without = answer(python)[2]!;
    expect(without[0]).toBe('m=video 9 UDP/TLS/RTP/SAVPF 99');
    expect(without.join('\n')).not.toMatch(/rtx|FID|ssrc:3/);
  });

  it('puts both tracks into one stream', () => {
    const [, video, audio] = answer(browser);
    expect(video).toContain('a=msid:stream v');
    expect(audio).toContain('a=msid:stream a');
  });

  const feedbackIn = (section: readonly string[]): string[] => section.filter((line) => line.startsWith('a=rtcp-fb:'));

  it('asks for every kind of feedback that is offered and listened to', () => {
    const [, video] = answer(browser);
    expect(feedbackIn(video!)).toEqual(
      ['transport-cc', 'nack', 'nack pli', 'ccm fir', 'goog-remb'].map((kind) => `a=rtcp-fb:108 ${kind}`),
    );
    expect(feedbackIn(answer(python)[2]!)).toEqual(
      ['nack', 'nack pli', 'goog-remb'].map((kind) => `a=rtcp-fb:99 ${kind}`),
    );
    const forAll = browser
      .replaceAll(/a=rtcp-fb:.*\r\n/g, '')
      .replace('a=rtpmap:96 VP8', 'a=rtcp-fb:* nack pli\r\na=rtpmap:96 VP8');
    expect(feedbackIn(answer(forAll)[1]!)).toEqual(['a=rtcp-fb:108 nack pli']);
  });

  /** An extension alone does not mean that the client reports: some clients copy it from a browser's offer. */
  it('takes up transport-wide numbers only together with their feedback', () => {
    const silent = answer(browser.replaceAll(/a=rtcp-fb:\d+ transport-cc\r\n/g, ''));
    expect(silent.flat().filter((line) => line.includes('transport-cc') || line.includes(TWCC))).toEqual([]);
    const unnumbered = answer(browser.replaceAll(`a=extmap:4 ${TWCC}\r\n`, ''));
    expect(unnumbered.flat().filter((line) => line.includes('transport-cc') || line.includes(TWCC))).toEqual([]);
  });

  it('has passive TCP candidates below every UDP one, for networks that block UDP', () => {
    const reachable = { publicAddresses: ['192.0.2.1', '2001:db8::1'] };
    const lines = candidateLines({ reachable, port: 8081, tcpPort: 443 });
    const candidates = lines.slice(0, -1).map((line) => line.replace('a=candidate:', '').split(' '));
    expect(candidates.map((tokens) => [tokens[2], ...tokens.slice(4)].join(' '))).toEqual([
      'udp 192.0.2.1 8081 typ host',
      'udp 2001:db8::1 8081 typ host',
      'tcp 192.0.2.1 443 typ host tcptype passive',
      'tcp 2001:db8::1 443 typ host tcptype passive',
    ]);
    const priorities = candidates.map((tokens) => Number(tokens[3]));
    expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
    expect(new Set(priorities).size).toBe(4);
    // A different base address or protocol means a different foundation (RFC 8445 section 5.1.1.3).
    expect(new Set(candidates.map(([foundation]) => foundation)).size).toBe(4);
  });

  it('has UDP candidates alone for browsers on this machine, after all others', () => {
    const reachable = { publicAddresses: ['127.0.0.1'], ownMachineAddresses: ['192.0.2.1'] };
    const candidates = candidateLines({ reachable, port: 8081, tcpPort: 8081 }).slice(0, -1);
    expect(
      candidates.map((line) =>
        line
          .split(' ')
          .filter((_, i) => i === 2 || i === 4)
          .join(' '),
      ),
    ).toEqual(['udp 127.0.0.1', 'udp 192.0.2.1', 'tcp 127.0.0.1']);
  });

  it('carries all candidates in the first section, best first', () => {
    const [, video, audio] = answer(browser);
    const candidates = video!.filter((line) => line.startsWith('a=candidate:')).map((line) => line.split(' '));
    expect(candidates.map((tokens) => tokens.slice(4))).toEqual([
      ['192.0.2.1', '8081', 'typ', 'host'],
      ['2001:db8::1', '8081', 'typ', 'host'],
    ]);
    expect(Number(candidates[0]![3])).toBeGreaterThan(Number(candidates[1]![3]));
    expect(audio!.some((line) => line.startsWith('a=candidate'))).toBe(false);
  });

  it('speaks the older data-channel dialect to whoever offers it', () => {
    const [, audio, , channel] = answer(python);
    expect(audio).toContain('a=sendonly');
    expect(channel).toEqual(
      expect.arrayContaining([
        'm=application 9 DTLS/SCTP 5000',
        'a=sctpmap:5000 webrtc-datachannel 65535',
        'a=max-message-size:65536',
      ]),
    );
  });

  it('refuses a second frame but keeps its place', () => {
    const second =
      browser.replace('a=group:BUNDLE 0 1 2', 'a=group:BUNDLE 0 1 2 3') +
      ['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=mid:3', 'a=sendrecv', 'a=rtpmap:96 VP8/90000', ''].join('\r\n');
    const [session, , , , refused] = answer(second);
    expect(session).toContain('a=group:BUNDLE 0 1 2');
    expect(refused?.[0]).toBe('m=video 0 UDP/TLS/RTP/SAVPF 96');
    expect(refused).toContain('a=inactive');
  });
});

it('identifies a client by the first sha-256 fingerprint of the transport that carries the bundle', () => {
  expect(parseOffer(python).dtls).toEqual({ fingerprint: FINGERPRINT, setup: 'actpass' });
  const atSession = sdp(
    `a=fingerprint:${FINGERPRINT}`,
    'a=setup:active',
    'a=ice-ufrag:a',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'a=mid:x',
  );
  expect(parseOffer(atSession).dtls).toEqual({ fingerprint: FINGERPRINT, setup: 'active' });
});

it.each([
  ['is not an SDP', 'hello'],
  ['is longer than any client writes', browser + 'a=x'.repeat(50_000)],
  ['is 1 MB of nothing', `v=0\r\n${'a'.repeat(1_000_000)}`],
  ['has 40,000 lines', browser + 'a=\n'.repeat(40_000)],
  ['has 100,000 empty lines', browser + '\r'.repeat(100_000)],
  ['has a section without a port', browser.replace('m=audio 9 ', 'm=audio ')],
  ['has no sections', sdp()],
  ['has no fingerprint', browser.replaceAll(/a=fingerprint.*\r\n/g, '')],
  ['has no ICE credentials', browser.replaceAll(/a=ice-ufrag.*\r\n/g, '')],
  ['has a made-up DTLS role', browser.replaceAll('actpass', 'holdconn')],
  ['has a fingerprint with something behind it', browser.replaceAll(FINGERPRINT, `${FINGERPRINT} extra`)],
  ['bundles what it does not have', browser.replace('BUNDLE 0 1 2', 'BUNDLE 9')],
  [
    'has nothing in common',
    sdp('m=audio 9 UDP/TLS/RTP/SAVPF 0', ...TRANSPORT_LINES, 'a=mid:0', 'a=rtpmap:0 PCMU/8000'),
  ],
  [
    'has very many sections',
    sdp(...Array.from({ length: 50 }, (_, n) => [`m=audio 9 UDP/TLS/RTP/SAVPF 0`, `a=mid:${n}`]).flat()),
  ],
])('refuses an offer that %s', (_, text) => {
  expect(() => chooseMedia(parseOffer(text))).toThrow(OfferError);
});

/** What a client writes, with some lines replaced by lines of another client, by cut lines or by invented ones. */
const hostileOffers = fc
  .array(
    fc.oneof(
      { weight: 40, arbitrary: fc.constant(null) },
      { weight: 2, arbitrary: fc.constantFrom(...browser.split('\r\n'), ...python.split('\r\n')) },
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .tuple(fc.constantFrom('m=', 'a=mid:', 'a=rtpmap:', 'a=fmtp:96 ', 'a=extmap:', 'a=group:BUNDLE '), fc.string())
        .map(([start, rest]) => start + rest),
    ),
    { minLength: 80, maxLength: 80 },
  )
  .chain((changes) =>
    fc.constantFrom(browser, python).map((whole) =>
      whole
        .split('\r\n')
        .map((line, index) => changes[index] ?? line)
        .join('\r\n'),
    ),
  );

it('answers whatever is offered with an SDP of as many sections, or refuses it', () => {
  fc.assert(
    fc.property(hostileOffers, (text) => {
      let offer;
      try {
        offer = parseOffer(text);
        chooseMedia(offer);
      } catch (error) {
        expect(error).toBeInstanceOf(OfferError);
        return;
      }
      const lines = answer(text).flat();
      expect(lines.filter((line) => line.startsWith('m='))).toHaveLength(offer.sections.length);
      for (const line of lines) expect(line).toMatch(/^[a-z]=[^\r\n]*$/);
      for (const { codecs } of offer.sections)
        for (const { payloadType } of codecs) expect(payloadType).toBeLessThan(128);
    }),
    { numRuns: 300 },
  );
});

it('keeps the values of an offer as they were written, numbers too', () => {
  const text = browser
    .replaceAll('a=ice-ufrag:abcd', 'a=ice-ufrag:0042')
    .replace('a=mid:0', 'a=mid:1e3')
    .replace('BUNDLE 0', 'BUNDLE 1e3');
  expect(parseOffer(text)).toMatchObject({
    ice: { ufrag: '0042', password: 'abcdefghijklmnopqrstuv' },
    bundle: ['1e3', '1', '2'],
    sections: [{ mid: '1e3' }, {}, {}],
  });
});

it('takes no payload type beyond seven bits', () => {
  const beyond = browser.replace('97 102 108', '97 102 300').replaceAll(/:108 /g, ':300 ');
  expect(chooseMedia(parseOffer(beyond)).video?.payloadType).toBe(102);
});
