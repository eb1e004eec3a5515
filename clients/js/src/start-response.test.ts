import { expect, it } from 'vitest';
import { readSignal } from './signaling.ts';
import { signalingUrl } from './start-response.ts';

it('opens the socket at the signaling path of the engine host', () => {
  expect(
    signalingUrl({
      sessionId: 'a b',
      engineHost: 'talk.example.com:8443/v1/webrtc/engines/e1',
      engineProtocol: 'https',
      signallingEndpoint: '/v1/webrtc/engines/e1/ws',
    }),
  ).toBe('wss://talk.example.com:8443/v1/webrtc/engines/e1/ws?session_id=a+b');
  expect(
    signalingUrl({ sessionId: 's', engineHost: '127.0.0.1:8080', engineProtocol: 'http', signallingEndpoint: '/ws' }),
  ).toBe('ws://127.0.0.1:8080/ws?session_id=s');
});

it('reads signals and ignores noise', () => {
  expect(readSignal('{"actionType":"warning","sessionId":"s","payload":"careful"}')).toEqual({
    actionType: 'warning',
    payload: 'careful',
  });
  for (const noise of ['', 'x', 'null', '7', '{}', '{"actionType":1}', new ArrayBuffer(2)])
    expect(readSignal(noise)).toBeNull();
});
