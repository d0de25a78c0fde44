/** Reads machines from a GENI manifest RSpec. Rejects XML document type declarations, and expands no entities. */
import { fail, finding, placeAt } from '../../core/diagnostics/finding.ts';

export interface RspecNode {
  /** The name of the machine, with its testbed's domain. Undefined if the node has no machine. */
  readonly name: string | undefined;
  /** The name of the node in the experiment. */
  readonly client: string;
  readonly offset: number;
}

export interface Rspec {
  readonly nodes: readonly RspecNode[];
  /** When the manifest was generated. */
  readonly generated: string | undefined;
  /** When the experiment ends. */
  readonly expires: string | undefined;
}

/** Returns undefined if the document is not an RSpec, or if it lists the machines of a whole testbed. */
export function readRspec(file: string, text: string): Rspec | undefined {
  const roots: Tag[] = [];
  const nodes: { readonly node: Tag; readonly children: Tag[] }[] = [];
  for (const tag of tagsIn(file, text)) {
    if (tag.depth === 0) roots.push(tag);
    else if (tag.depth === 1 && tag.name === 'node') nodes.push({ node: tag, children: [] });
    else if (tag.depth === 2 && tag.parent === 'node') nodes.at(-1)?.children.push(tag);
  }
  const isManifest = ({ name, attributes }: Tag) => name === 'rspec' && attributes.get('type') !== 'advertisement';
  if (roots.length === 0 || !roots.every(isManifest)) return undefined;
  const machines = nodes
    .filter(({ children }) => !children.some(isStorage))
    .map(({ node: { attributes, offset }, children }) => {
      const vnode = children.find(({ name }) => name === 'vnode');
      const name =
        attributes.get('component_id') ?? attributes.get('component_name') ?? vnode?.attributes.get('name') ?? '';
      return { name: name === '' ? undefined : hostOf(name), client: attributes.get('client_id') ?? '', offset };
    });
  const [generated, expires] = ['generated', 'expires'].map((name) =>
    roots.map(({ attributes }) => attributes.get(name)).find((date) => date !== undefined),
  );
  return { nodes: machines, generated, expires };
}

/** Recognizes remote disks of CloudLab, which are not machines. */
function isStorage({ name, attributes }: Tag): boolean {
  return name === 'sliver_type' && attributes.get('name') === 'emulab-blockstore';
}

/** The host of `urn:publicid:IDN+utah.example.org+node+pc17` is `pc17.utah.example.org`. */
function hostOf(component: string): string {
  const [, domain = '', name = component] =
    /^urn:publicid:IDN\+([^+:]*)(?::[^+]*)?\+node\+(.+)$/i.exec(component) ?? [];
  return domain === '' || name.includes('.') ? name : `${name}.${domain}`;
}

/** A start tag without the namespace prefixes of its name and attributes. */
interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly offset: number;
  /** The number of elements that enclose this element. */
  readonly depth: number;
  readonly parent: string | undefined;
}

const SKIPPED = /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>/sy;
const END = /<\/([^\s<>/]+)\s*>/y;
const START = /<([^\s<>/=!?"']+)/y;
const ATTRIBUTE = /\s+([^\s<>/="']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const CLOSE = /\s*(\/?)>/y;

/** Returns the start tags of a document. Fails if an element is not closed. */
function* tagsIn(file: string, text: string): Generator<Tag> {
  const open: string[] = [];
  let at = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const reject = (problem: string, offset: number): never =>
    fail(finding('rspec-xml', { problem }, placeAt(file, text, offset)));
  for (at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const offset = at;
    if (next(SKIPPED)) continue;
    if (text.startsWith('<!DOCTYPE', at)) reject('it has a document type declaration', offset);
    const ended = next(END)?.[1];
    if (ended !== undefined) {
      const begun = open.pop();
      if (begun !== ended)
        reject(`"</${ended}>" closes ${begun === undefined ? 'no element' : `"<${begun}>"`}`, offset);
      continue;
    }
    const name = next(START)?.[1];
    const attributes = new Map<string, string>();
    for (let found = next(ATTRIBUTE); found; found = next(ATTRIBUTE)) {
      const [, key = '', double, single = ''] = found;
      attributes.set(key, double ?? single);
    }
    const slash = next(CLOSE)?.[1];
    if (name === undefined || slash === undefined) return reject('the tag is incomplete', offset);
    const parent = open.at(-1);
    yield {
      name: withoutPrefix(name),
      attributes,
      offset,
      depth: open.length,
      parent: parent && withoutPrefix(parent),
    };
    if (slash === '') open.push(name);
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) reject(`"<${unclosed}>" is not closed`, text.length);
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
