import { exitWithParent } from '../exit-with-parent.ts';

/** Answers each message with itself. */
exitWithParent();
process.on('message', (message) => process.send?.(message));
process.send?.('ready');
