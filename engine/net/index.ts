export { download, DownloadError, type DownloadedFile } from './download.ts';
export { createGuardedDispatcher, createGuardedFetch, type Fetch, type GuardedFetch } from './guarded-fetch.ts';
export { postEvent } from './post-event.ts';
export { guardedConnect } from './guarded-connect.ts';
export { guardedDial } from './guarded-dial.ts';
export { NO_PRIVATE_HOSTS, privateHosts, type PrivateHosts } from './private-hosts.ts';
export { isPublicAddress } from './public-address.ts';
export { assertPublicUrl, parsePublicUrl, portOf, PublicUrlError, type ResolveHost } from './public-url.ts';
