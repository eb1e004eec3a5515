/**
 * Ctrl-C and the stop of a service manager reach all processes of a service at once. A process that serves the sessions of
 * another one goes on then: its parent says goodbye first, and needs it for that. It ends when its channel to the parent
 * closes, however the parent ended, or is killed by it.
 */
export function endWithParent(): void {
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('disconnect', () => process.exit(0));
}
