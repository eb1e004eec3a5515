import { serveUntilKilled } from './serve-until-killed.ts';

/** `node killable-service.ts DATA_DIR [DATABASE_URL]` */
const [dataDir = '', databaseUrl] = process.argv.slice(2);
await serveUntilKilled(dataDir, databaseUrl);
