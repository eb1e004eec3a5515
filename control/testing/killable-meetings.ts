import { WebSocket } from 'ws';
import { keepHouse } from '../housekeeping.ts';
import type { MeetingConnector } from '../ports.ts';
import { readSettings } from '../settings.ts';
import { openStore } from '../store/open.ts';
import { startTestService } from './service.ts';

/**
 * A service that joins meetings, in a process of its own, to be killed:
 * `node killable-meetings.ts MEETING_URL DATA_DIR [DATABASE_URL]`. Prints its address. In place of a browser it has a
 * WebSocket to the meeting, which is lost with the process.
 */
const [meetingUrl = '', dataDir = '', databaseUrl] = process.argv.slice(2);

const meetings: MeetingConnector = {
  providers: [],
  recognize: (url) => ({ provider: 'jitsi', url }),
  join(request, handlers) {
    const socket = new WebSocket(`${meetingUrl}?invite=${request.inviteId}`);
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    handlers.state('joining');
    // The meeting lets the persona in.
    socket.on('message', () => {
      handlers.state('in_call');
      void handlers.admitted().then((session) => {
        if (session === null) socket.close();
        else socket.send(session.sessionId);
      });
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      handlers.ended({ state: 'left', reason: 'left_call', message: 'The persona left.' });
      resolve();
    });
    return {
      leave() {
        socket.close();
        return gone;
      },
      picture: async () => null,
    };
  },
  async close() {},
};

const store = await openStore({ dataDir, databaseUrl });
const service = await startTestService(store, {
  dataDir,
  realTime: true,
  ports: { meetings },
  settings: {
    PARLEY_MAX_MEETINGS: '20',
    PARLEY_MEETING_INVITES_PER_MINUTE: '100',
  },
});
await keepHouse({
  settings: readSettings({ PARLEY_DATA_DIR: dataDir }),
  store,
  blobs: service.blobs,
  knowledge: service.knowledge,
  log: service.app.log as never,
  now: Date.now,
});
const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ url, key: service.key })}\n`);
