/** Of the package; the service stores it with the session. */
export const VERSION = '0.1.0';
