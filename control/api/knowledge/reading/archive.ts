import { Readable } from 'node:stream';
import type JSZip from 'jszip';
import { decodeText } from './decode-text.ts';
import { MAX_XML_BYTES } from './limits.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';
import { withUsualPrefixes } from './usual-prefixes.ts';
import { parseXml, type XmlNode } from './xml.ts';
import { openNamed } from './zip-names.ts';

/** Parts of an archive that are text. */
const TEXT_PART = /\.(xml|rels|x?html?|mht|rtf|opf|ncx)$/i;

const IN_NAMESPACES = /\.(xml|rels)$/i;

/** A document that is a ZIP archive of XML files. */
export interface Archive {
  /** With `/` between folders, whatever the program that wrote it has put there. */
  readonly names: readonly string[];
  has(name: string): boolean;
  bytes(name: string): Promise<Buffer | null>;
  text(name: string): Promise<string | null>;
  /** @returns nothing where there is no such part. */
  xml(name: string): Promise<readonly XmlNode[]>;
}

/** @throws UnreadableDocumentError when it is damaged, encrypted, or expands to more text than it may. */
export async function openArchive(bytes: Buffer): Promise<Archive> {
  const zip = await openZip(bytes);
  await checkExpansion(zip).catch(asDamaged);
  const names = new Map(Object.keys(zip.files).map((name) => [name.replaceAll('\\', '/'), name]));
  // Office finds a part whatever the case of its letters: programs name them in one and write another.
  const alike = new Map([...names].map(([name, own]) => [name.toLowerCase(), own]));
  const find = (name: string): JSZip.JSZipObject | null =>
    zip.file(names.get(name) ?? alike.get(name.toLowerCase()) ?? name);
  const bytesOf = async (name: string): Promise<Buffer | null> => (await find(name)?.async('nodebuffer')) ?? null;
  const text = async (name: string): Promise<string | null> => {
    const part = await bytesOf(name);
    if (part === null) return null;
    const content = decodeText(part).text;
    return IN_NAMESPACES.test(name) ? withUsualPrefixes(content) : content;
  };
  return {
    names: [...names.keys()],
    has: (name) => find(name) !== null,
    bytes: bytesOf,
    text,
    xml: async (name) => parseXml((await text(name)) ?? ''),
  };
}

/** @throws UnreadableDocumentError when it is damaged or encrypted. */
export const openZip = (bytes: Buffer): Promise<JSZip> =>
  openNamed(bytes).catch((error: Error) => {
    throw new UnreadableDocumentError(/encrypt/i.test(error.message) ? PROTECTED : DAMAGED);
  });

export const DAMAGED = 'The document is damaged: its archive cannot be opened.';

/** In place of the library's words. */
function asDamaged(error: unknown): never {
  const isOurs = !(error instanceof Error) || error instanceof UnreadableDocumentError || error instanceof RangeError;
  throw isOurs ? error : new UnreadableDocumentError(DAMAGED, { cause: error });
}

export const PROTECTED = 'The document is protected by a password. Save it without one.';

/** Expands the parts that hold text and counts their bytes: the sizes in the archive's headers may be wrong. */
export async function checkExpansion(archive: JSZip, parts = TEXT_PART): Promise<void> {
  let expanded = 0;
  for (const part of archive.file(parts)) {
    for await (const chunk of new Readable().wrap(part.nodeStream()) as AsyncIterable<Buffer>) {
      expanded += chunk.length;
      if (expanded > MAX_XML_BYTES)
        throw new UnreadableDocumentError('The document expands to more text than it may. Divide it.');
    }
  }
}

/** Of a part to another one, or to what is not in the document. */
interface Relation {
  readonly type: string;
  /** Within the archive; '' of what is outside. */
  readonly path: string;
  /** An address outside, as the document has it: people type them, so it may be none. */
  readonly address?: string;
}

/** Relations of a part, by id. */
export async function relationsOf(archive: Archive, part: string): Promise<Map<string, Relation>> {
  const folder = part.includes('/') ? part.slice(0, part.lastIndexOf('/') + 1) : '';
  const nodes = await archive.xml(`${folder}_rels/${part.slice(folder.length)}.rels`);
  const relations = new Map<string, Relation>();
  for (const node of nodes)
    for (const relation of 'children' in node ? node.children : []) {
      if (!('attribs' in relation)) continue;
      const { Id, Type = '', Target = '', TargetMode = '' } = relation.attribs as Record<string, string>;
      const type = Type.split('/').at(-1)!;
      if (Id === undefined) continue;
      const isOutside = TargetMode === 'External' || type === 'hyperlink';
      relations.set(Id, isOutside ? { type, path: '', address: Target } : { type, path: resolvePath(folder, Target) });
    }
  return relations;
}

/** @returns the part that a document of Office begins with: programs call it what they like. */
export async function mainPart(archive: Archive, usual: string): Promise<string> {
  const main = [...(await relationsOf(archive, '')).values()].find(({ type }) => type === 'officeDocument')?.path;
  return main !== undefined && archive.has(main) ? main : usual;
}

/** "sheet2.xml" before "sheet10.xml". */
export const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** Addresses outside of the document that a part links to, by the ids of the relations. */
export async function linksOf(archive: Archive, part: string): Promise<Map<string, string>> {
  const relations = await relationsOf(archive, part);
  return new Map(
    [...relations].flatMap(([id, { address }]) => (address === undefined ? [] : [[id, address] as const])),
  );
}

/** @param folder with a `/` at its end, or empty. */
export function resolvePath(folder: string, target: string): string {
  try {
    const { pathname } = new URL(target, `file:///${folder}`);
    return decodeURIComponent(pathname).slice(1);
  } catch {
    return folder + target;
  }
}
