import { describe, expect, it } from 'vitest';
import { chooseMedia } from '../transport/sdp/choose-media.ts';
import { parseOffer } from '../transport/sdp/parse-offer.ts';
import { publisherOffer } from './publisher-offer.ts';

const offer = publisherOffer({
  ice: { ufrag: 'abcd', password: 'abcdefghijklmnopqrstuvwx' },
  dtls: { fingerprint: `sha-256 ${'AA:'.repeat(31)}AA`, setup: 'actpass' },
  streams: { cname: 'name', audioSsrc: 1, videoSsrc: 2, videoRtxSsrc: 3 },
  streamId: 'parley',
});

describe('the offer of a participant', () => {
  it('sends a voice and a face, bundled with a channel', () => {
    const { sections, bundle, sctp } = parseOffer(offer);
    expect(sections.map(({ kind, direction }) => `${kind} ${direction}`)).toEqual([
      'audio sendonly',
      'video sendonly',
      'application sendrecv',
    ]);
    expect(bundle).toEqual(['0', '1', '2']);
    expect(sctp?.port).toBe(5_000);
  });

  it('keeps retransmission, key frames and congestion control, as its answer does', () => {
    const answer = offer.replaceAll('a=sendonly', 'a=recvonly').replaceAll('a=setup:actpass', 'a=setup:passive');
    expect(chooseMedia(parseOffer(answer), ['vp8'])).toMatchObject({
      audio: { payloadType: 111 },
      video: {
        codec: 'vp8',
        payloadType: 96,
        rtxPayloadType: 97,
        transportSequenceId: 3,
        feedback: ['transport-cc', 'nack', 'nack pli', 'ccm fir', 'goog-remb'],
      },
    });
  });

  it('names the sources of its tracks, so that a server knows retransmissions', () => {
    expect(offer).toContain('a=ssrc-group:FID 2 3');
    expect(offer.match(/^a=ssrc:\d msid:parley persona-(?:audio|video)\r?$/gmu)).toHaveLength(3);
  });
});
