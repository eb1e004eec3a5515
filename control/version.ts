/** Version of the service, as the API tells it. */
export const VERSION = '0.1.0';
