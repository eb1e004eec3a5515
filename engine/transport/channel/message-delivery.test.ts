import { expect, it } from 'vitest';
import { MessageDelivery, type MessagePeer } from './message-delivery.ts';

/** A connected peer whose client has acknowledged all that was sent before `dataAt`. */
function fakePeer(dataAt: number | null = null) {
  const sent: string[] = [];
  let life: 'open' | 'closed' = 'open';
  return {
    isConnected: true,
    showsArrival: true,
    heardAt: dataAt,
    dataAt,
    mayUseChannel: () => true,
    sendMessage: (text: string) => sent.push(text) > 0,
    close: () => void (life = 'closed'),
    sent,
    isClosed: () => life === 'closed',
  } satisfies MessagePeer & Record<string, unknown>;
}

/** @param whenUnderWay with an event loop that has nothing else to do: at once */
const open = (whenUnderWay = (then: (at: number) => void): void => then(0)): MessageDelivery =>
  new MessageDelivery(
    () => ({ arrivedUpTo: null, reachedAt: null, roundTripMs: Number.POSITIVE_INFINITY }),
    whenUnderWay,
  );

it('a replaced peer is closed once its client can acknowledge nothing more; its successor sends the rest', () => {
  const delivery = open();
  const [before, after] = [fakePeer(), fakePeer()];
  delivery.push('on its way');
  delivery.flush(before, 0);
  delivery.replaced(before, 10);
  delivery.connected();
  delivery.flush(after, 200);
  expect([before.isClosed(), after.sent]).toEqual([false, []]);
  delivery.flush(after, 300);
  expect([before.isClosed(), before.sent, after.sent]).toEqual([true, ['on its way'], ['on its way']]);
});

it('a replaced peer with nothing on its way is closed as soon as its successor is connected', () => {
  const delivery = open();
  const [before, after] = [fakePeer(), fakePeer()];
  delivery.replaced(before, 0);
  delivery.flush({ ...after, isConnected: false }, 1);
  expect(before.isClosed()).toBe(false);
  delivery.flush(after, 2);
  expect(before.isClosed()).toBe(true);
});

it('a peer that is replaced before it was connected is closed at once', () => {
  const delivery = open();
  const [first, second] = [fakePeer(), { ...fakePeer(), isConnected: false }];
  delivery.replaced(first, 0);
  delivery.replaced(second, 1);
  expect([first.isClosed(), second.isClosed()]).toEqual([false, true]);
});

it('the end of the session closes a replaced peer', () => {
  const delivery = open();
  const peer = fakePeer();
  delivery.replaced(peer, 0);
  delivery.close();
  expect(peer.isClosed()).toBe(true);
});

/**
 * What the dead line had not delivered was missing for good on a busy machine: an acknowledgement of the message before
 * lay in a socket when these were sent, was read 100 ms later, and was taken for theirs.
 */
it('what is read late, of before a message was under way, is no sign that it arrived', () => {
  let underWay = (_at: number): void => {};
  const delivery = open((then) => (underWay = then));
  const [before, after, last] = [fakePeer(150), fakePeer(), fakePeer()];
  delivery.push('the tool call');
  delivery.flush(before, 0);
  delivery.confirm(before);
  underWay(160);
  delivery.confirm(before);
  delivery.replaced(before, 170);
  delivery.connected();
  delivery.flush(after, 500);
  expect(after.sent).toEqual(['the tool call']);
  underWay(510);
  delivery.confirm({ ...after, dataAt: 700 });
  delivery.replaced(after, 800);
  delivery.connected();
  delivery.flush(last, 1_200);
  expect(last.sent).toEqual([]);
});

/**
 * The handshake of the new connection came before the old one was settled, and was taken for an acknowledgement of it.
 */
it('what the successor of a dead peer sends is no sign that its messages arrived', () => {
  const delivery = open();
  const [before, after] = [fakePeer(), fakePeer()];
  delivery.push('the tool call');
  delivery.flush(before, 0);
  delivery.replaced(before, 10);
  const connecting = { ...after, isConnected: false, dataAt: 400, heardAt: 400 };
  delivery.confirm(connecting);
  delivery.confirmLastSigns(connecting);
  delivery.connected();
  delivery.flush(after, 410);
  expect(after.sent).toEqual(['the tool call']);
});
