/** Version of the service, as the API tells it. */
export { VERSION } from '../engine/version.ts';
