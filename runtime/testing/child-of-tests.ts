import { endWithParent } from '../end-with-parent.ts';

/** Answers each message with itself. */
endWithParent();
process.on('message', (message) => process.send?.(message));
process.send?.('ready');
