/**
 * Writes `docs/reference/` from the schemas, the tables of settings into the pages of providers, what the console
 * knows of the fields of a persona, and the dashboard and manifests of operators: `npm run docs`. Tests check that it was done.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildAdapterRules } from '../deploy/kubernetes/adapter-rules.ts';
import { buildManifests } from '../deploy/kubernetes/build-manifests.ts';
import { buildDashboard } from '../deploy/monitoring/build-dashboard.ts';
import { personaFields } from './docs/persona-fields.ts';
import { PROVIDER_PAGES, providerPages } from './docs/provider-pages.ts';
import { referenceDocs } from './docs/reference-docs.ts';

const folder = fileURLToPath(new URL('../docs/reference/', import.meta.url));
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(await referenceDocs())) await writeFile(folder + name, text);
for (const [name, text] of Object.entries(providerPages())) await writeFile(new URL(name, PROVIDER_PAGES), text);
await writeFile(new URL('../deploy/monitoring/dashboard.json', import.meta.url), buildDashboard());
const kubernetes = new URL('../deploy/kubernetes/', import.meta.url);
await writeFile(new URL('parley.yaml', kubernetes), buildManifests());
await writeFile(new URL('prometheus-adapter.yaml', kubernetes), buildAdapterRules());
await writeFile(new URL('../web/src/api/persona-fields.json', import.meta.url), personaFields());
