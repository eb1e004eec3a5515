import { connectionSetup } from './connection-actions.ts';

/**
 * What the wire says, in four questions: is anybody there (`link`), does what is sent arrive (`responses`), may the
 * conversation begin (`pipeline`), and has the client been told so (`announcement`, once per peer connection of the
 * client)?
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
