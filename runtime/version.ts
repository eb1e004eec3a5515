import software from '../package.json' with { type: 'json' };

/** Version of the software, as the API and the logs tell it. It stands in `package.json`. */
export const VERSION: string = software.version;
