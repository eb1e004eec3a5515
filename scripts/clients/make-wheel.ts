import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import JSZip from 'jszip';

/** ZIP has no earlier one: the same sources make the same file. */
const DATE = new Date('1980-01-01T00:00:00Z');

/**
 * Makes the wheel of a package that consists of Python only, as `python -m build` does, on a machine without Python's tools.
 * @param folder with `pyproject.toml`, `README.md`, `LICENSE` and `src`.
 */
export async function makeWheel(folder: string): Promise<{ readonly file: string; readonly content: Buffer }> {
  const project = readProject(folder);
  const module = project.name.replaceAll('-', '_');
  const version = /__version__ = "(.+)"/.exec(readFileSync(join(folder, 'src', module, 'version.py'), 'utf8'))![1]!;
  const info = `${module}-${version}.dist-info`;
  const sources = readdirSync(join(folder, 'src', module), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(py|typed)$/.test(name))
    .sort();
  const files: readonly [name: string, content: Buffer][] = [
    ...sources.map((name): [string, Buffer] => [`${module}/${name}`, readFileSync(join(folder, 'src', module, name))]),
    [`${info}/LICENSE`, readFileSync(join(folder, 'LICENSE'))],
    [`${info}/METADATA`, Buffer.from(metadataOf(project, version, readFileSync(join(folder, 'README.md'), 'utf8')))],
    [`${info}/WHEEL`, Buffer.from('Wheel-Version: 1.0\nGenerator: parley\nRoot-Is-Purelib: true\nTag: py3-none-any\n')],
    [`${info}/entry_points.txt`, Buffer.from(`[console_scripts]\n${project.script}\n`)],
    [`${info}/top_level.txt`, Buffer.from(`${module}\n`)],
  ];
  const record = files.map(
    ([name, content]) => `${name},sha256=${hash('sha256', content, 'base64url')},${content.length}`,
  );
  const zip = new JSZip();
  const all = [...files, [`${info}/RECORD`, Buffer.from([...record, `${info}/RECORD,,`, ''].join('\n'))] as const];
  for (const [name, content] of all) zip.file(name, content, { date: DATE, createFolders: false });
  return {
    file: `${module}-${version}-py3-none-any.whl`,
    content: await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' }),
  };
}

interface Project {
  readonly name: string;
  readonly description: string;
  readonly requiresPython: string;
  readonly keywords: readonly string[];
  readonly classifiers: readonly string[];
  readonly dependencies: readonly string[];
  readonly script: string;
}

/** Its strings and lists of strings are also JSON, but for a comma after the last one. */
function readProject(folder: string): Project {
  const toml = readFileSync(join(folder, 'pyproject.toml'), 'utf8');
  const value = <T>(key: string): T => {
    const found = new RegExp(`^${key} = ("[^"]*"|\\[[^\\]]*\\])`, 'm').exec(toml);
    if (found === null) throw new Error(`pyproject.toml has no ${key}`);
    return JSON.parse(found[1]!.replace(/,\s*\]$/, ']')) as T;
  };
  return {
    name: value('name'),
    description: value('description'),
    requiresPython: value('requires-python'),
    keywords: value('keywords'),
    classifiers: value('classifiers'),
    dependencies: value('dependencies'),
    script: `parley-client = ${value<string>('parley-client')}`,
  };
}

function metadataOf(project: Project, version: string, readme: string): string {
  const lines = [
    'Metadata-Version: 2.1',
    `Name: ${project.name}`,
    `Version: ${version}`,
    `Summary: ${project.description}`,
    'License: Apache-2.0',
    `Keywords: ${project.keywords.join(',')}`,
    ...project.classifiers.map((one) => `Classifier: ${one}`),
    `Requires-Python: ${project.requiresPython}`,
    'Description-Content-Type: text/markdown',
    'License-File: LICENSE',
    ...project.dependencies.map((one) => `Requires-Dist: ${one}`),
  ];
  return `${lines.join('\n')}\n\n${readme}`;
}
