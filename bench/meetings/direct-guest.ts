import { once } from 'node:events';
import { WebSocket } from 'ws';
import { LOOPBACK_FLAGS } from '../../engine/transport/testing/browser-client.ts';
import { launchGuest, type Guest } from '../../e2e/support/guest-browser.ts';

/** In the page: `heardTrack` is the persona's voice, which `sessionPeer` receives. */
const CLIENT = `
  const peer = new RTCPeerConnection({ iceServers: [] });
  globalThis.sessionPeer = peer;
  peer.createDataChannel('session', { ordered: true });
  peer.addTransceiver('video', { direction: 'recvonly' });
  const audio = peer.addTransceiver('audio', { direction: 'sendrecv' });
  peer.ontrack = ({ track }) => {
    const element = document.createElement('video');
    element.autoplay = true;
    element.srcObject = new MediaStream([track]);
    document.body.append(element);
    if (track.kind === 'audio') globalThis.heardTrack = track;
  };
  globalThis.offer = async () => {
    const microphone = await navigator.mediaDevices.getUserMedia({ audio: true });
    await audio.sender.replaceTrack(microphone.getAudioTracks()[0]);
    await peer.setLocalDescription();
    return peer.localDescription.sdp;
  };
  globalThis.accept = (sdp) => peer.setRemoteDescription({ type: 'answer', sdp });
`;

/**
 * Somebody who talks with the persona without a meeting: the same browser and microphone as a guest's, connected to the
 * session itself. @param page any page of a secure origin: without one, browsers give no microphone.
 */
export async function joinDirectly(signalingUrl: string, sessionId: string, page: string): Promise<Guest> {
  const guest = await launchGuest({ args: LOOPBACK_FLAGS });
  await guest.browser.page.goto(page);
  await guest.browser.page.evaluate(`{ ${CLIENT} }`);
  const offer = await guest.browser.page.evaluate<string>('offer()');
  const socket = new WebSocket(`${signalingUrl}?session_id=${sessionId}`);
  await once(socket, 'open');
  const ready = Promise.withResolvers<void>();
  socket.on('message', (data) => {
    const { actionType, payload } = JSON.parse(String(data)) as { actionType: string; payload: { sdp: string } };
    if (actionType === 'answer') void guest.browser.page.evaluate(`accept(${JSON.stringify(payload.sdp)})`);
    if (actionType === 'sessionready') ready.resolve();
  });
  const connectionDescription = { type: 'offer', sdp: offer };
  socket.send(
    JSON.stringify({ actionType: 'offer', sessionId, payload: { connectionDescription, userUid: sessionId } }),
  );
  await ready.promise;
  return {
    ...guest,
    async close() {
      socket.close();
      await guest.close();
    },
  };
}
