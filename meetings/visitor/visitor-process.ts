import { rm } from 'node:fs/promises';
import type { FromVisitor, ToVisitor, VisitorSettings } from './visitor-messages.ts';
import { Visitor } from './visitor.ts';

/** Entry of the process of one visit. Its folder is its argument too, so that a later service finds it by that. */

let visitor: Visitor | null = null;

/** Resolves when the message is on its way; messages to a service that has ended are dropped. */
function send(message: FromVisitor): Promise<void> {
  return new Promise((sent) => {
    if (process.connected) process.send?.(message, () => sent());
    else sent();
  });
}

async function visit(settings: VisitorSettings): Promise<void> {
  visitor = new Visitor(settings, (message) => void send(message));
  const end = await visitor.run();
  await rm(settings.folder, { recursive: true, force: true }).catch(() => undefined);
  await send({ type: 'over', end });
  process.exit(0);
}

process.on('message', (message: ToVisitor) => {
  switch (message.type) {
    case 'go':
      return void visit(message.settings);
    case 'session':
      return visitor?.start(message.session);
    case 'picture':
      return void visitor?.picture().then((jpeg) => send({ type: 'picture', id: message.id, jpeg }));
    case 'leave':
      return visitor?.leave();
  }
});
// The service has ended, or was killed: the meeting is left all the same.
process.on('disconnect', () => (visitor === null ? process.exit(0) : visitor.leave()));
