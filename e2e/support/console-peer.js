/**
 * Runs inside the page, before the console, so it is plain JavaScript. Plays the service's side of a conversation with
 * a real peer connection of the same browser: signaling goes through a stand-in for the socket, media and data channel
 * through WebRTC. Tests reach it as `consolePeer`.
 */
(() => {
  const received = [];
  const signals = [];
  let channel = null;
  let deliver = () => {};

  /** An image that moves a little, so that the browser encodes frames. */
  function portrait() {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [720, 480];
    const paint = canvas.getContext('2d');
    let tick = 0;
    setInterval(() => {
      tick += 1;
      paint.fillStyle = '#c9d6e8';
      paint.fillRect(0, 0, 720, 480);
      paint.fillStyle = '#33405e';
      paint.beginPath();
      paint.ellipse(360, 480, 190, 150, 0, 0, 7);
      paint.fill();
      paint.fillStyle = '#e8b796';
      paint.beginPath();
      paint.ellipse(360, 225 + Math.sin(tick / 5) * 3, 98, 122, 0, 0, 7);
      paint.fill();
    }, 100);
    return canvas.captureStream(10);
  }

  async function answer(peer, offer, send) {
    peer.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate !== null && candidate.candidate !== '') send('icecandidate', candidate.toJSON());
    });
    peer.addEventListener('datachannel', (event) => {
      channel = event.channel;
      channel.addEventListener('message', ({ data }) => received.push(JSON.parse(data)));
      channel.addEventListener('open', () => send('sessionready', {}));
    });
    await peer.setRemoteDescription(offer);
    for (const track of portrait().getTracks()) peer.addTrack(track);
    await peer.setLocalDescription(await peer.createAnswer());
    send('answer', { type: 'answer', sdp: peer.localDescription.sdp });
  }

  class FakeSocket extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSING = 2;
    static CLOSED = 3;
    readyState = FakeSocket.CONNECTING;
    #peer = new RTCPeerConnection();

    constructor() {
      super();
      const send = (actionType, payload) =>
        this.dispatchEvent(
          new MessageEvent('message', { data: JSON.stringify({ actionType, sessionId: 's', payload }) }),
        );
      deliver = send;
      queueMicrotask(() => {
        this.readyState = FakeSocket.OPEN;
        this.dispatchEvent(new Event('open'));
      });
    }

    send(text) {
      const { actionType, payload } = JSON.parse(text);
      signals.push(actionType);
      if (actionType === 'offer') void answer(this.#peer, payload.connectionDescription, deliver);
      if (actionType === 'icecandidate') void this.#peer.addIceCandidate(payload).catch(() => {});
    }

    close() {
      this.readyState = FakeSocket.CLOSED;
    }
  }

  window.WebSocket = FakeSocket;
  window.consolePeer = {
    received,
    signals,
    sendData: (message) => channel.send(JSON.stringify(message)),
    sendSignal: (actionType, payload) => deliver(actionType, payload),
  };
})();
