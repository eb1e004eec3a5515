import { connectionSetup } from './connection-actions.ts';

/**
 * The connection to the client, in five regions: whether packets come (`link`), whether sent packets are answered
 * (`responses`), whether the end of the client's peer is its goodbye (`departure`), whether the avatar is prepared
 * (`pipeline`), and whether the client was told that the session is ready (`announcement`, once for each of its peer
 * connections).
 */
export const connectionMachine = connectionSetup.createMachine({
  id: 'connection',
  type: 'parallel',
  context: ({ input }) => ({ env: input.env }),
  entry: 'join',
  on: {
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
        flowing: {
          id: 'flowing',
          on: {
            'peer.quiet': 'away',
            'session.takenOver': 'away',
            'peer.closed': { guard: 'mayReturn', target: 'away.left' },
          },
          initial: 'there',
          states: {
            there: { on: { 'socket.closed': { guard: 'isGoodbye', target: 'leaving' } } },
            /** Silent from here on, its page is gone; if not, it lives without a socket. */
            leaving: {
              after: { leaving: 'there' },
              on: { 'socket.opened': 'there', 'peer.quiet': '#gone' },
            },
          },
        },
        away: {
          entry: 'tellHeld',
          exit: 'tellBack',
          on: { 'peer.connected': 'flowing' },
          initial: 'held',
          states: {
            held: {
              after: { hold: { actions: { type: 'tellOver', params: { reason: 'connection_lost' } } } },
              on: {
                'peer.flowing': '#flowing',
                'peer.closed': { guard: 'mayReturn', target: 'left' },
                'socket.closed': { guard: 'isGoodbye', target: 'leaving' },
              },
            },
            /** Its socket said goodbye, and it may open another one. */
            leaving: {
              after: { leaving: 'gone' },
              on: {
                'peer.flowing': '#flowing',
                'peer.closed': { guard: 'mayReturn', target: 'left' },
                'socket.opened': 'held',
              },
            },
            /** Its page is gone, and its browser may have kept it: the way back to it brings the same peer. */
            gone: {
              id: 'gone',
              after: { reload: { actions: { type: 'tellOver', params: { reason: 'client_disconnected' } } } },
              on: {
                'peer.flowing': '#flowing',
                'peer.closed': { guard: 'mayReturn', target: 'left' },
                'socket.opened': 'held',
              },
            },
            /** Its page is gone, and its peer with it. If the page is reloaded, the next one connects. */
            left: {
              after: { reload: { actions: { type: 'tellOver', params: { reason: 'client_disconnected' } } } },
            },
          },
        },
      },
    },
    departure: {
      initial: 'final',
      states: {
        final: {
          on: {
            'offer.received': { guard: 'offerOfReturningClient', target: 'temporary' },
            'peer.closed': { actions: { type: 'tellOver', params: { reason: 'client_disconnected' } } },
          },
        },
        /** Such a client hangs up by a message. */
        temporary: {},
      },
    },
    responses: {
      initial: 'coming',
      states: {
        coming: {
          on: {
            'peer.unresponsive': 'missing',
            'peer.quiet': 'missing',
            'session.takenOver': { guard: 'wasThere', target: 'missing' },
            'peer.closed': { guard: 'mayReturn', target: 'missing' },
          },
        },
        missing: {
          entry: 'noteArrived',
          exit: 'tellResponsive',
          on: {
            /** The transport now knows better what has arrived. */
            'peer.quiet': { actions: 'noteArrived' },
            'peer.responsive': { guard: 'mayAnswer', target: 'coming' },
            'peer.flowing': { guard: 'isThere', target: 'coming' },
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
            /** The channel may be reported before the peer. */
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
