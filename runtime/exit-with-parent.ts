/**
 * Ctrl-C and a service manager's stop signal reach all processes of a service at once. A child process that serves the
 * sessions of its parent ignores them, because the parent needs it to say goodbye. The child exits when its channel to
 * the parent closes, however the parent ended, or when the parent kills it.
 */
export function exitWithParent(): void {
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('disconnect', () => process.exit(0));
}
