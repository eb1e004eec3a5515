/** The control plane, as whoever starts the service sees it. */
export { buildApp, type AppOptions } from './app.ts';
export { ensureFirstKey, DEFAULT_ORGANIZATION } from './bootstrap.ts';
export { createApiKey, ENTITLEMENTS, listApiKeys, organizationNamed, revokeApiKey } from './access/api-keys.ts';
export { DEFAULT_SCOPES, isScope, SCOPES } from './access/scopes.ts';
export { masterKeys, storedMasterKey, type MasterKeys } from './access/master-key.ts';
export { stockId, type Catalogue, type Picture, type PictureShape, type StockAvatar, type StockLlm, type StockVoice } from './catalogue.ts';
export { ERRORS } from './errors.ts';
export { Knowledge } from './knowledge/knowledge.ts';
export * from './ports.ts';
export { keepHouse, type Housekeeping } from './housekeeping.ts';
export { endInterruptedSessions, SessionStore } from './sessions/session-store.ts';
export { readSettings, settingsHelp, SettingsError, settingsSchema, type Settings } from './settings.ts';
export { openBlobs, type Blobs } from './store/blobs.ts';
export { openStore, type Store } from './store/open.ts';
export { openVideoQueue, type VideoQueue } from './videos/video-queue.ts';
export type { VideoOptions } from './videos/video-routes.ts';
