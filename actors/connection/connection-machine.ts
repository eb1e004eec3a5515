import { not, setup, stateIn } from 'xstate';
import type { EndReason } from '../report.ts';
import type { BusEvent } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';

/** No media in this time: nobody is coming. Frees the slot. */
const NEVER_CONNECTED_MS = 30_000;
/**
 * From the answer that started the session to its socket, which clients open at once. It is four round trips (TCP, TLS,
 * upgrade); with 1 s each and the first packet lost twice (sent again after 1 and 2 s) they take 7 s. Shorter than the
 * limit for media, because all that it takes to hold a slot this long is one request.
 */
const NO_SOCKET_MS = 10_000;
/** From the socket to the first offer: clients send it at once. */
const NO_OFFER_MS = 15_000;
/** `sessionready` waits this long for the data channel, then goes without. */
const CHANNEL_WAIT_MS = 5_000;
/** Clients try for about 35 s to come back; this leaves room for a slow network. */
const HOLD_MS = 60_000;
/** For how long the client has been silent when the transport says so, and does not know what has arrived before. */
const QUIET_LIMIT_MS = 3_000;

interface Context {
  readonly env: SessionEnvironment;
}

/**
 * What the wire says, in four questions: is anybody there (`link`), does what is sent arrive (`responses`), may the
 * conversation begin (`pipeline`), and has the client been told so (`announcement`, once per peer connection of the client)?
 */
export const connectionMachine = setup({
  types: {} as { context: Context; events: BusEvent; input: { env: SessionEnvironment } },
  guards: {
    pipelinePrepared: stateIn({ pipeline: 'prepared' }),
    mayAnswer: not(stateIn({ link: 'held' })),
    isReplacement: ({ event }) => event.type === 'peer.connected' && event.kind === 'replacement',
  },
  actions: {
    join: ({ context, self }) => context.env.join(self),
    signalReady: ({ context }) => context.env.perform({ type: 'signal.ready' }),
    tellReady: ({ context }) => context.env.tell({ type: 'connection.ready' }),
    noteArrived: ({ context: { env }, event }) => {
      if (event.type === 'peer.unresponsive') env.memory.arrivedUpTo = event.arrivedUpTo ?? env.now();
      else if (event.type === 'peer.quiet')
        env.memory.arrivedUpTo = event.arrivedUpTo ?? env.memory.arrivedUpTo ?? env.now() - QUIET_LIMIT_MS;
    },
    tellUnresponsive: ({ context }) => context.env.tell({ type: 'connection.unresponsive' }),
    tellResponsive: ({ context: { env } }) => {
      env.memory.arrivedUpTo = null;
      env.tell({ type: 'connection.responsive' });
    },
    tellHeld: ({ context }) => context.env.tell({ type: 'connection.held' }),
    tellBack: ({ context }) => context.env.tell({ type: 'connection.back' }),
    tellOver: ({ context }, params: { reason: EndReason }) =>
      context.env.tell({ type: 'connection.over', reason: params.reason }),
  },
  delays: {
    neverConnected: NEVER_CONNECTED_MS,
    noSocket: NO_SOCKET_MS,
    noOffer: NO_OFFER_MS,
    channelWait: CHANNEL_WAIT_MS,
    hold: HOLD_MS,
  },
}).createMachine({
  id: 'connection',
  type: 'parallel',
  context: ({ input }) => ({ env: input.env }),
  entry: 'join',
  on: {
    'peer.closed': { actions: { type: 'tellOver', params: { reason: 'client_disconnected' } } },
    'client.hangUp': { actions: { type: 'tellOver', params: { reason: 'client_disconnected' } } },
  },
  states: {
    link: {
      initial: 'awaited',
      states: {
        awaited: {
          after: { neverConnected: { actions: { type: 'tellOver', params: { reason: 'never_connected' } } } },
          on: { 'peer.connected': 'flowing' },
          initial: 'noSocket',
          states: {
            noSocket: {
              after: { noSocket: { actions: { type: 'tellOver', params: { reason: 'never_connected' } } } },
              on: { 'socket.opened': 'noOffer', 'offer.received': 'offered' },
            },
            noOffer: {
              after: { noOffer: { actions: { type: 'tellOver', params: { reason: 'never_connected' } } } },
              on: { 'offer.received': 'offered' },
            },
            offered: {},
          },
        },
        flowing: { on: { 'peer.quiet': 'held' } },
        held: {
          entry: 'tellHeld',
          exit: 'tellBack',
          after: { hold: { actions: { type: 'tellOver', params: { reason: 'connection_lost' } } } },
          on: { 'peer.flowing': 'flowing', 'peer.connected': 'flowing' },
        },
      },
    },
    responses: {
      initial: 'coming',
      states: {
        coming: { on: { 'peer.unresponsive': 'missing', 'peer.quiet': 'missing' } },
        missing: {
          entry: ['noteArrived', 'tellUnresponsive'],
          exit: 'tellResponsive',
          on: {
            /** By now it is known better. */
            'peer.quiet': { actions: 'noteArrived' },
            'peer.responsive': { guard: 'mayAnswer', target: 'coming' },
            'peer.flowing': 'coming',
            'peer.connected': 'coming',
          },
        },
      },
    },
    pipeline: {
      initial: 'preparing',
      states: { preparing: { on: { 'pipeline.ready': 'prepared' } }, prepared: {} },
    },
    announcement: {
      initial: 'first',
      states: {
        first: {
          initial: 'noPeer',
          states: {
            noPeer: { on: { 'peer.connected': 'channelAwaited', 'channel.opened': 'channelFirst' } },
            /** The channel can be reported a moment before the peer. */
            channelFirst: { on: { 'peer.connected': 'reachable' } },
            channelAwaited: { after: { channelWait: 'reachable' }, on: { 'channel.opened': 'reachable' } },
            reachable: {
              always: { guard: 'pipelinePrepared', target: '#announced', actions: ['signalReady', 'tellReady'] },
            },
          },
        },
        announced: { id: 'announced', on: { 'peer.connected': { guard: 'isReplacement', target: 'again' } } },
        again: {
          after: { channelWait: { target: 'announced', actions: 'signalReady' } },
          on: {
            'channel.opened': { target: 'announced', actions: 'signalReady' },
            'peer.connected': { guard: 'isReplacement', target: 'again', reenter: true },
          },
        },
      },
    },
  },
});
