import { WebSocket } from 'ws';
import type { MeetingConnector } from '../ports.ts';
import { serveUntilKilled } from './serve-until-killed.ts';

/**
 * A service that joins meetings: `node killable-meetings.ts MEETING_URL DATA_DIR [DATABASE_URL]`. In place of a browser
 * it has a WebSocket to the meeting, which is lost with the process.
 */
const [meetingUrl = '', dataDir = '', databaseUrl] = process.argv.slice(2);

const meetings: MeetingConnector = {
  providers: [],
  neededLink: () => null,
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

await serveUntilKilled(dataDir, databaseUrl, {
  realTime: true,
  ports: { meetings },
  settings: { PARLEY_MAX_MEETINGS: '20', PARLEY_MEETING_INVITES_PER_MINUTE: '100' },
});
