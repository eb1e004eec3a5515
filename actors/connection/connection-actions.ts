import { not, stateIn } from 'xstate';
import type { EndReason } from '../report.ts';
import { actorSetup, performs, tells, type ActorContext } from '../kernel/actor-setup.ts';

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
/**
 * From the end of a page to the next page's connection: loading it on a slow network, and the user's permission for the
 * microphone. Shorter than a hold: usually the tab was closed.
 */
const RELOAD_MS = 20_000;
/**
 * From the goodbye of a client's socket to the silence of its page: the transport's limit (`QUIET_LIMIT_MS`), and a second
 * for its clock and for packets that the network had kept.
 */
const LEAVING_MS = 4_000;
/**
 * Close codes by which a client says that it goes: normal closure (1000), and a page that goes away (1001), which browsers
 * send by themselves. Not 1005, no code: so a page closes a socket to open another one. And not 1006, no goodbye: its
 * network broke.
 */
const GOODBYES: ReadonlySet<number> = new Set([1000, 1001]);
/** For how long the client has been silent when the transport says so, and does not know what has arrived before. */
const QUIET_LIMIT_MS = 3_000;

/** What the names in the table of `connection-machine.ts` stand for. */
export const connectionSetup = actorSetup({ types: {} as { context: ActorContext } }).extend({
  guards: {
    pipelinePrepared: stateIn({ pipeline: 'prepared' }),
    mayAnswer: not(stateIn({ link: 'away' })),
    wasThere: not(stateIn({ link: 'awaited' })),
    isThere: not(stateIn({ link: { away: 'left' } })),
    isGoodbye: ({ event }) => event.type === 'socket.closed' && GOODBYES.has(event.code),
    mayReturn: stateIn({ departure: 'temporary' }),
    offerOfReturningClient: ({ event }) => event.type === 'offer.received' && event.resume === true,
    isReplacement: ({ event }) => event.type === 'peer.connected' && event.kind === 'replacement',
  },
  actions: {
    signalReady: performs({ type: 'signal.ready' }),
    tellReady: tells({ type: 'connection.ready' }),
    noteArrived: ({ context: { env }, event }) => {
      if (event.type === 'peer.unresponsive') env.memory.arrivedUpTo = event.arrivedUpTo ?? env.now();
      else if (event.type === 'session.takenOver')
        env.memory.arrivedUpTo = event.arrivedUpTo ?? env.memory.arrivedUpTo ?? env.now();
      else if (event.type === 'peer.closed') env.memory.arrivedUpTo = env.now();
      else if (event.type === 'peer.quiet')
        env.memory.arrivedUpTo = event.arrivedUpTo ?? env.memory.arrivedUpTo ?? env.now() - QUIET_LIMIT_MS;
    },
    tellResponsive: ({ context: { env } }) => {
      env.memory.arrivedUpTo = null;
      env.tell({ type: 'connection.responsive' });
    },
    tellHeld: ({ context: { env }, event }) =>
      env.tell({ type: 'connection.held', by: event.type === 'session.takenOver' ? 'service' : 'client' }),
    tellBack: tells({ type: 'connection.back' }),
    tellOver: ({ context }, params: { reason: EndReason }) =>
      context.env.tell({ type: 'connection.over', reason: params.reason }),
  },
  delays: {
    neverConnected: NEVER_CONNECTED_MS,
    noSocket: NO_SOCKET_MS,
    noOffer: NO_OFFER_MS,
    channelWait: CHANNEL_WAIT_MS,
    hold: HOLD_MS,
    reload: RELOAD_MS,
    leaving: LEAVING_MS,
  },
});
