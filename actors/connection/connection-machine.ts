import { connectionSetup } from './connection-actions.ts';

/**
 * The connection to the client, in four regions: whether packets come (`link`), whether sent packets are answered
 * (`responses`), whether the avatar is prepared (`pipeline`), and whether the client was told that the session is ready
 * (`announcement`, once for each of its peer connections).
 */
export const connectionMachine = connectionSetup.createMachine({
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
          entry: 'noteArrived',
          exit: 'tellResponsive',
          on: {
            /** The transport now knows better what has arrived. */
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
