import { crcOf, deflatedRaw, expandedBytes, once, type Repeated } from './repeated.ts';

const OPEN_XML = 'http://schemas.openxmlformats.org';
const WORD = `${OPEN_XML}/wordprocessingml/2006/main`;
const RELATIONS_TYPE = 'application/vnd.openxmlformats-package.relationships+xml';
const DOCUMENT_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

const CONTENT_TYPES = entry(
  '[Content_Types].xml',
  once(
    `<?xml version="1.0"?><Types xmlns="${OPEN_XML}/package/2006/content-types">` +
      `<Default Extension="rels" ContentType="${RELATIONS_TYPE}"/>` +
      `<Override PartName="/word/document.xml" ContentType="${DOCUMENT_TYPE}"/></Types>`,
  ),
);
const RELATIONS = entry(
  '_rels/.rels',
  once(
    `<?xml version="1.0"?><Relationships xmlns="${OPEN_XML}/package/2006/relationships"><Relationship Id="r1"` +
      ` Type="${OPEN_XML}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  ),
);

/** @param body the inner XML of the document. @param claimedBytes what the headers say that it expands to. */
export function docxOf(body: Repeated, claimedBytes?: number): Buffer {
  return archive([CONTENT_TYPES, RELATIONS, entry('word/document.xml', documentOf(body), claimedBytes)]);
}

/** A short text whose styles are the bomb. */
export function docxOfStyles(styles: Repeated): Buffer {
  const xml = { ...styles, before: `<?xml version="1.0"?><w:styles xmlns:w="${WORD}">`, after: '</w:styles>' };
  const body = once('<w:p><w:r><w:t>Short.</w:t></w:r></w:p>');
  const document = entry('word/document.xml', documentOf(body));
  return archive([CONTENT_TYPES, RELATIONS, document, entry('word/styles.xml', xml)]);
}

function documentOf({ before = '', unit, times, after = '' }: Repeated): Repeated {
  const opening = `<?xml version="1.0"?><w:document xmlns:w="${WORD}"><w:body>`;
  return { before: opening + before, unit, times, after: `${after}</w:body></w:document>` };
}

interface Entry {
  readonly name: string;
  readonly data: Buffer;
  readonly crc: number;
  readonly claimedBytes: number;
}

function entry(name: string, content: Repeated, claimedBytes: number = expandedBytes(content)): Entry {
  return { name, data: deflatedRaw(content), crc: crcOf(content), claimedBytes };
}

/** A ZIP archive, deflated. */
function archive(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, crc, claimedBytes } of entries) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(claimedBytes, 18);
    fields.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}
