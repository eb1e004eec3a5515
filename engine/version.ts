/** Version of the software, as the API and the logs tell it. */
export const VERSION = '0.1.0';
