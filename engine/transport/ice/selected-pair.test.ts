import { describe, expect, it } from 'vitest';
import { clientOf } from '../testing/binding-request.ts';
import { IceCredentialMaker } from './credential-maker.ts';
import { addressKey, type Address, type PathProtocol } from './address.ts';
import { PublicPath, type Generation } from './public-path.ts';
import { NOMINATION_MOVES_AFTER_MS, USE_MOVES_AFTER_MS } from './selected-pair.ts';

const address = (port: number, protocol: PathProtocol = 'udp'): Address => ({
  protocol,
  ip: '192.0.2.7',
  port,
  family: 4,
  local: '192.0.2.1',
});

/** A client's pairs, its checks and its media, at times that the test gives. */
function client() {
  const path = new PublicPath();
  const maker = new IceCredentialMaker();
  const restart = (): Generation => path.renew(maker.make(), clientOf('client')).current;
  return {
    restart,
    generation: restart(),
    nominates: (generation: Generation, from: Address, priority: number, at: number) =>
      path.checked(generation, { nominates: true, priority }, from, at).moved,
    checks: (generation: Generation, from: Address, priority: number, at: number) =>
      path.checked(generation, { nominates: false, priority }, from, at).moved,
    sends: (from: Address, at: number) => path.used(addressKey(from), at),
    get selected() {
      return path.selected;
    },
  };
}

/**
 * Six of ten calls of Firefox over a network of 20 ms died after 3 s. It nominates each pair that works, TCP after UDP,
 * and sends on the best one. Our packets went to the last one, and what it sent on the other one did not count.
 */
describe('of several nominated pairs', () => {
  it('takes UDP rather than TCP, in whichever order they are nominated', () => {
    for (const order of [['udp', 'tcp'] as const, ['tcp', 'udp'] as const]) {
      const firefox = client();
      // Browsers tell the same priority for both (it differs in their candidates).
      for (const [i, protocol] of order.entries())
        firefox.nominates(firefox.generation, address(1, protocol), 1_853_759_231, 40 * i);
      expect(firefox.selected).toEqual(address(1, 'udp'));
    }
  });

  it('takes that of the client’s better address', () => {
    const firefox = client();
    firefox.nominates(firefox.generation, address(1), 200, 0);
    expect(firefox.nominates(firefox.generation, address(2), 100, 20)).toBe(false);
    expect(firefox.nominates(firefox.generation, address(3), 300, 40)).toBe(true);
    expect(firefox.selected).toEqual(address(3));
  });
});

describe('what a client sends says which pair it uses', () => {
  it('when it has nominated none', () => {
    const early = client();
    early.checks(early.generation, address(1), 100, 0);
    expect(early.sends(address(1), 10)).toBe(true);
    expect(early.selected).toEqual(address(1));
  });

  it('when it sends on a worse pair than the best that it has nominated', () => {
    const chromium = client();
    chromium.nominates(chromium.generation, address(1), 200, 0);
    chromium.nominates(chromium.generation, address(2), 100, 0);
    chromium.sends(address(1), 10);
    expect(chromium.sends(address(2), 10 + USE_MOVES_AFTER_MS)).toBe(false);
    expect(chromium.sends(address(2), 11 + USE_MOVES_AFTER_MS)).toBe(true);
  });

  it('when it moves from UDP to TCP and back, and packets of the TCP connection come late', () => {
    const chromium = client();
    const [udp, tcp] = [address(1, 'udp'), address(1, 'tcp')];
    chromium.nominates(chromium.generation, udp, 100, 0);
    chromium.nominates(chromium.generation, tcp, 100, 20);
    chromium.sends(udp, 1_000);
    // UDP was cut. It needs some seconds to notice, and nominates nothing anew.
    expect(chromium.sends(tcp, 6_000)).toBe(true);
    // UDP is back.
    chromium.sends(tcp, 20_000);
    expect(chromium.sends(udp, 20_110)).toBe(true);
    expect([20_115, 20_130, 20_145].map((at) => [chromium.sends(tcp, at), chromium.sends(udp, at + 5)])).toEqual(
      Array.from({ length: 3 }, () => [false, false]),
    );
    expect(chromium.selected).toEqual(udp);
  });

  it('but not from an address that no check has come from', () => {
    const stranger = client();
    expect(stranger.sends(address(1), 0)).toBe(false);
    expect(stranger.selected).toBeNull();
  });
});

describe('after an ICE restart', () => {
  it('the first pair that is nominated anew is taken, and no late check or packet from before moves that', () => {
    const chromium = client();
    chromium.nominates(chromium.generation, address(1), 200, 0);
    chromium.sends(address(1), 990);
    const second = chromium.restart();
    expect(chromium.nominates(second, address(2), 100, 1_000)).toBe(true);
    expect(chromium.nominates(chromium.generation, address(1), 200, 1_010)).toBe(false);
    expect(chromium.sends(address(1), 1_000 + 2 * USE_MOVES_AFTER_MS)).toBe(false);
    expect(chromium.selected).toEqual(address(2));
  });

  it('a pair from before counts again once it is checked anew', () => {
    const chromium = client();
    chromium.nominates(chromium.generation, address(1), 200, 0);
    const second = chromium.restart();
    chromium.nominates(second, address(2), 100, 1_000);
    chromium.checks(second, address(1), 200, 1_020);
    expect(chromium.sends(address(1), 1_001 + USE_MOVES_AFTER_MS)).toBe(true);
  });

  /**
   * UDP was blocked, and Chromium restarted ICE over TCP. When UDP came back and TCP was blocked, it used its old UDP
   * pair again, which was answered, so it did not restart ICE. Our packets went on to the dead connection for a minute.
   */
  it('the client can go back to a pair from before when nothing comes from the new one any more', () => {
    const chromium = client();
    chromium.nominates(chromium.generation, address(1), 100, 0);
    const second = chromium.restart();
    chromium.nominates(second, address(2, 'tcp'), 100, 1_000);
    chromium.sends(address(2, 'tcp'), 5_000);
    const later = 5_001 + NOMINATION_MOVES_AFTER_MS;
    expect(chromium.checks(chromium.generation, address(1), 100, later)).toBe(false);
    expect(chromium.nominates(chromium.generation, address(1), 100, later)).toBe(true);
    expect(chromium.selected).toEqual(address(1));
  });
});
