export { download, DownloadError } from './download.ts';
export { createGuardedDispatcher, createGuardedFetch, type Fetch } from './guarded-fetch.ts';
export { postEvent } from './post-event.ts';
export { guardedConnect } from './guarded-connect.ts';
export { guardedDial } from './guarded-dial.ts';
export { NO_PRIVATE_HOSTS, privateHosts, type PrivateHosts } from './private-hosts.ts';
export { assertPublicUrl, parsePublicUrl, portOf, PublicUrlError } from './public-url.ts';
