import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { bindingRequest, clientOf } from '../testing/binding-request.ts';
import { FrontSession, type FrontTables } from './front-session.ts';
import { IceCredentialMaker } from './credential-maker.ts';
import { addressKey, type Address } from './address.ts';
import type { Generation } from './public-path.ts';
import { NOMINATION_MOVES_AFTER_MS } from './selected-pair.ts';
import { SILENCE_LIMIT_MS } from './silence-watch.ts';
import { parseBindingRequest } from './stun.ts';

/**
 * Clients as RFC 8445 lets them be, against the front, on simulated time: each of their pairs has its own delay and comes
 * up when it likes, checks and media of one overtake those of another, they move when they like, and restart ICE.
 */

const MEDIA_EVERY_MS = 20;
const MAX_DELAY_MS = 400;
/** Every late packet has come by then, and the rules have had their longest time. */
const SETTLED_AFTER_MS = MAX_DELAY_MS + NOMINATION_MOVES_AFTER_MS + MEDIA_EVERY_MS;

interface Pair {
  readonly protocol: 'udp' | 'tcp';
  /** Of the client's candidate. */
  readonly priority: number;
  readonly delayMs: number;
}

/** What a client does at a time, on one of its pairs. */
interface Step {
  readonly at: number;
  readonly does: 'check' | 'nominate' | 'media' | 'restart';
  readonly pair: number;
}

const pairs = fc.uniqueArray(
  fc.record({
    protocol: fc.constantFrom('udp', 'tcp'),
    priority: fc.integer({ min: 1_853_000_000, max: 1_853_999_999 }),
    delayMs: fc.integer({ min: 0, max: MAX_DELAY_MS }),
  }),
  { minLength: 2, maxLength: 4, selector: ({ priority }) => priority },
) as fc.Arbitrary<Pair[]>;

/** UDP before TCP, then by the client's priority: what the formula of RFC 8445 comes to for host candidates. */
const best = (all: readonly Pair[], of: readonly number[]): number =>
  of.toSorted(
    (a, b) =>
      Number(all[b]!.protocol === 'udp') - Number(all[a]!.protocol === 'udp') || all[b]!.priority - all[a]!.priority,
  )[0]!;

/** Plays what the client does. Media goes on from its last step until all is settled. */
function play(all: readonly Pair[], steps: readonly Step[]) {
  const addresses = all.map(({ protocol }, i): Address => ({
    protocol,
    ip: '192.0.2.7',
    port: i + 1,
    family: 4,
    local: '192.0.2.1',
  }));
  const maker = new IceCredentialMaker();
  const generations: Generation[] = [];
  const sentTo: Address[] = [];
  const nothing = (): void => undefined;
  const tables: FrontTables = {
    timers: new SimulatedClock(),
    innerPort: 1,
    freshCredentials: () => maker.make(),
    addGeneration: (generation) => void generations.push(generation),
    removeGeneration: nothing,
    addAddress: nothing,
    removeAddress: nothing,
    addInner: nothing,
    removeInner: nothing,
    addInnerPort: nothing,
    removeSession: nothing,
    sendOut: (_packet, to) => void sentTo.push(to),
    sendIn: nothing,
  };
  const quietAt: number[] = [];
  let now = 0;
  const session = new FrontSession(tables, { quiet: () => quietAt.push(now), flowing: nothing, pathChosen: nothing });
  session.linkFound(session.connectPeer(), 1);
  session.renewCredentials(clientOf('client'));

  const arrivals = steps
    .map((step) => ({
      ...step,
      at: step.at + (step.does === 'restart' ? 0 : all[step.pair]!.delayMs),
      sentAt: step.at,
    }))
    .toSorted((a, b) => a.at - b.at);
  const restarts = steps.filter(({ does }) => does === 'restart');
  const valid = new Set<string>();
  for (const { at, sentAt, does, pair } of arrivals) {
    for (; now + 250 < at; now += 250) session.checkSilence(now);
    now = at;
    const from = addresses[pair]!;
    const key = addressKey(from);
    if (does === 'restart') session.renewCredentials(clientOf('client'));
    else if (does === 'media') {
      if (valid.has(key)) session.fromClient(Buffer.from([0x80, 0x41]), key, now);
    } else {
      // What is sent in the moment of a restart is from before it.
      const generation = generations[restarts.filter((restart) => restart.at < sentAt).length]!;
      const { ufrag, password } = generation.credentials;
      const username = `${ufrag}:${generation === generations.at(-1) ? 'client' : 'before'}`;
      const nominate = does === 'nominate';
      const check = bindingRequest({ username, password, nominate, priority: all[pair]!.priority });
      if (session.checked(generation, parseBindingRequest(check)!, from, now)) valid.add(key);
    }
    session.fromPeer(Buffer.from([0x80, 0x42]), 1);
  }
  return { goesTo: sentTo.at(-1)?.port, sentTo, valid, quietAt };
}

const mediaOf = (pair: number, from: number, until: number): Step[] =>
  Array.from({ length: Math.max(0, Math.floor((until - from) / MEDIA_EVERY_MS)) }, (_, i) => ({
    at: from + i * MEDIA_EVERY_MS,
    does: 'media' as const,
    pair,
  }));

/** When pairs begin to work, and when the client checks them again. */
const times = fc.array(fc.tuple(fc.nat(3), fc.nat(2_000)), { minLength: 1, maxLength: 12 });

it('sends where a client like Firefox sends, which nominates each pair that works and uses the best one', () => {
  fc.assert(
    fc.property(pairs, times, fc.boolean(), (all, checks, hasRestarted) => {
      const after = hasRestarted ? 2_000 + MAX_DELAY_MS : 0;
      const working = checks.map(([pair, at]): Step => ({ at, does: 'nominate', pair: pair % all.length }));
      const anew = working.map((step) => ({ ...step, at: after + 1 + step.at }));
      const restart: Step = { at: after, does: 'restart', pair: 0 };
      const firefoxes = best(all, [...new Set(working.map(({ pair }) => pair))]);
      const last = after + 1 + 2_000;
      // Without any media yet: by the nominations alone.
      const silent = play(all, hasRestarted ? [...working, restart, ...anew] : working);
      if (checks.length > 0 && hasNoPause(all, hasRestarted ? anew : working))
        expect(silent.goesTo).toBe(firefoxes + 1);
      const talking = play(all, [
        ...working,
        ...(hasRestarted ? [restart, ...anew] : []),
        ...mediaOf(firefoxes, last, last + MAX_DELAY_MS + SILENCE_LIMIT_MS + SETTLED_AFTER_MS),
      ]);
      expect(talking.goesTo).toBe(firefoxes + 1);
    }),
  );
});

/** Whether nominations arrive so close together that none of them means that the client has left the best pair. */
function hasNoPause(all: readonly Pair[], nominations: readonly Step[]): boolean {
  const at = nominations.map((step) => step.at + all[step.pair]!.delayMs).toSorted((a, b) => a - b);
  return at.at(-1)! - at[0]! <= NOMINATION_MOVES_AFTER_MS;
}

it('follows a client like Chromium, which nominates the pair that it uses and moves when it likes, and never loses it', () => {
  const moves = fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 0, max: 2_500 }), fc.boolean()), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(pairs, moves, (all, route) => {
      const steps: Step[] = all.map((_, pair) => ({ at: pair, does: 'check', pair }));
      // Each of them has proved to work.
      let now = MAX_DELAY_MS;
      for (const [to, staysMs, restarts] of route) {
        const pair = to % all.length;
        if (restarts) steps.push({ at: now, does: 'restart', pair });
        steps.push({ at: now + 1, does: 'nominate', pair }, ...mediaOf(pair, now + 1, now + 1 + staysMs));
        now += staysMs + 1;
      }
      const used = route.at(-1)![0] % all.length;
      steps.push(...mediaOf(used, now, now + MAX_DELAY_MS + SETTLED_AFTER_MS));
      const { goesTo, quietAt } = play(all, steps);
      expect(goesTo).toBe(used + 1);
      expect(quietAt).toEqual([]);
    }),
  );
});

it('calls no client silent that sends on any pair that works, and sends to no address that was not checked', () => {
  const step = fc.record({
    // After the first check has come.
    at: fc.integer({ min: MAX_DELAY_MS + 1, max: 8_000 }),
    does: fc.constantFrom('check', 'nominate', 'media', 'media', 'restart'),
    pair: fc.nat(3),
  }) as fc.Arbitrary<Step>;
  fc.assert(
    fc.property(pairs, fc.array(step, { maxLength: 40 }), fc.nat(3), (all, steps, talks) => {
      const some = steps.map((one) => ({ ...one, pair: one.pair % all.length }));
      const pair = talks % all.length;
      const first: Step = { at: 0, does: 'nominate', pair };
      const { quietAt, sentTo, valid } = play(all, [first, ...some, ...mediaOf(pair, 1, 9_000)]);
      expect(quietAt).toEqual([]);
      for (const to of sentTo) expect(valid).toContain(addressKey(to));
    }),
  );
});
