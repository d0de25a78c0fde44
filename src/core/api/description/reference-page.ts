/** The page has no script and only relative links, so that it works under a strict CSP and from a local folder. */

import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { escapedHtml, printableJson } from '../../platform/text.ts';
import { FIELD_KEYWORDS } from '../../registry/layout.ts';
import type { Endpoint } from '../endpoints.ts';
import { idAt, type Publication } from '../publication.ts';
import { isRaw } from '../raw-forms.ts';
import { OPENAPI_PATH, REFERENCE_PATH, STYLE_PATH } from './description-paths.ts';
import { CONTRACT_VERSION, type Description, INTRODUCTION } from './openapi.ts';
import { type Operation, parameterSchema, QUERY_PARAMETERS, TAGS } from './operations.ts';

const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'";

export function renderReference(publication: Publication, description: Description): string {
  const { title, operations, components } = description;
  const first = firstOfComponents(operations);
  const groups = Object.entries(TAGS).map(([tag, text]) => ({
    tag,
    text,
    operations: operations.filter((operation) => operation.tag === tag),
  }));
  const revision = idAt(publication, publication.head);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="gridpress-path" content="${REFERENCE_PATH}">
<title>${escapedHtml(title)}</title>
<link rel="stylesheet" href="${relative(STYLE_PATH)}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<p class="kind">Reference</p>
<h1>${escapedHtml(title)}</h1>
<p>${code(INTRODUCTION)}</p>
<p class="facts">Contract ${CONTRACT_VERSION}, revision <code>${revision.slice(0, 12)}</code> ·
<a href="${relative(`${OPENAPI_PATH}.json`)}">OpenAPI 3.1</a> · <a href="${relative('/index.json')}">root</a> ·
<a href="${relative('/links.json')}">links</a></p>
</header>
<div class="columns">
<nav aria-label="Contents"><ul>
${groups.map(contentsOf).join('')}<li><a href="#schemas">Schemas</a></li>
</ul></nav>
<main id="content">
${groups.map((group) => groupSection(group, description, first)).join('')}<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
<p>The JSON Schemas below <code>/schemas</code> are stricter about links.</p>
${Object.entries(components).map(schemaSection).join('')}</section>
</main>
</div>
</body>
</html>
`;
}

interface Group {
  readonly tag: string;
  readonly text: string;
  readonly operations: readonly Operation[];
}

function contentsOf({ tag, operations }: Group): string {
  const links = operations.map(({ id, endpoint }) => `<li><a href="#${id}">${breakable(endpoint.template)}</a></li>\n`);
  return `<li><details><summary>${tag} <span class="count">${operations.length}</span></summary><ul>\n${links.join('')}</ul></details></li>\n`;
}

/** Returns the first operation of each component. Only this operation shows the component's example. */
function firstOfComponents(operations: readonly Operation[]): ReadonlySet<Operation> {
  const first = new Map<string | undefined, Operation>();
  for (const operation of operations) if (!first.has(operation.component)) first.set(operation.component, operation);
  return new Set(first.values());
}

function groupSection(
  { tag, text, operations }: Group,
  description: Description,
  first: ReadonlySet<Operation>,
): string {
  const sections = operations
    .map((operation) => operationSection(operation, description, first.has(operation)))
    .join('');
  const id = tag.toLowerCase();
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${tag}</h2>
<p>${code(text)}</p>
${sections}</section>
`;
}

function operationSection(operation: Operation, { examples, kinds }: Description, isFirst: boolean): string {
  const { id, endpoint, summary, parameters, queries, mediaTypes, component } = operation;
  const example = component === undefined ? undefined : examples.get(component);
  const path = pathOf(endpoint, example);
  const row = (name: string, description: string) =>
    `<tr><th scope="row"><code>${escapedHtml(name)}</code></th><td>${code(description)}</td></tr>\n`;
  const rows = [
    ...parameters.map((name) => row(name, parameterSchema(name, kinds.all).description)),
    ...queries.map((name) => row(`?${name}=`, QUERY_PARAMETERS[name].description)),
  ];
  const link = path === undefined ? '' : ` <a href="${escapedHtml(relative(path))}">open</a>`;
  return `<article>
<h3 id="${id}"><span class="method">GET</span> <code>${breakable(endpoint.template)}</code></h3>
<p>${code(summary)}. Media type: <code>${mediaTypes.map(escapedHtml).join('</code> or <code>')}</code>${component === undefined ? '' : `: <a href="#schema-${component}">${component}</a>`}.</p>
${rows.length === 0 ? '' : `<table><tbody>\n${rows.join('')}</tbody></table>\n`}<p class="call"><code>curl "$BASE${escapedHtml(path ?? endpoint.template)}"</code>${link}</p>
${example === undefined || !isFirst ? '' : `<details><summary>Example, shortened</summary><pre tabindex="0">${escapedHtml(printableJson(JSON.stringify(example, null, 2)))}</pre></details>\n`}</article>
`;
}

/** Returns the path of an example document. The path ends in `.json`, because every host serves `.json` paths. */
function pathOf({ template, kind, form }: Endpoint, example: Json | undefined): string | undefined {
  const links = isJsonObject(example) && Array.isArray(example['links']) ? example['links'] : [];
  const self = links.find((link) => isJsonObject(link) && link['rel'] === 'self');
  const href = isJsonObject(self) ? String(self['href']) : undefined;
  const isOfTemplate = href !== undefined && fits(href, template);
  const alwaysExists = !template.includes('{') && kind.onlyIfAny !== true;
  const path = isOfTemplate ? href : alwaysExists ? template : undefined;
  if (path === undefined) return undefined;
  if (path === '/') return '/index.json';
  return isRaw(form) ? path : `${path}.json`;
}

function fits(href: string, template: string): boolean {
  const [segments, wanted] = [href.split('/'), template.split('/')];
  return segments.length === wanted.length && wanted.every((want, i) => want.startsWith('{') || want === segments[i]);
}

function schemaSection([name, schema]: [string, Json]): string {
  if (!isJsonObject(schema)) return '';
  const { description } = schema;
  return `<article>
<h3 id="schema-${name}">${name}</h3>
${typeof description === 'string' ? `<p>${code(description)}</p>\n` : ''}${fieldsTable(schema)}</article>
`;
}

function fieldsTable(schema: JsonObject): string {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return `<p>${typeOf(schema)}</p>\n`;
  const needed = new Set(Array.isArray(required) ? required : []);
  const rows = Object.entries(properties).map(([name, field]) => {
    const of = isJsonObject(field) ? field : {};
    const unit = of[FIELD_KEYWORDS.unit];
    const notes = [of[FIELD_KEYWORDS.class], unit].filter((note) => typeof note === 'string');
    const text = of['description'];
    return `<tr><th scope="row"><code>${escapedHtml(name)}</code>${needed.has(name) ? '' : ' <span class="note">optional</span>'}</th><td>${typeOf(of)}${notes.map((note) => ` <span class="note">${escapedHtml(String(note))}</span>`).join('')}</td><td>${typeof text === 'string' ? code(text) : ''}</td></tr>
`;
  });
  return `<div class="wide" tabindex="0" role="region" aria-label="Fields"><table>
<thead><tr><th scope="col">field</th><th scope="col">type</th><th scope="col">meaning</th></tr></thead>
<tbody>
${rows.join('')}</tbody></table></div>
`;
}

/** Returns the type of a field as HTML, with links to components. */
function typeOf(schema: JsonObject): string {
  const { $ref, anyOf, oneOf, type, items, const: only, enum: choices } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (only !== undefined) return `<code>${escapedHtml(JSON.stringify(only))}</code>`;
  if (Array.isArray(choices)) return choices.map((choice) => `<code>${escapedHtml(String(choice))}</code>`).join(', ');
  for (const several of [anyOf, oneOf])
    if (Array.isArray(several))
      return [...new Set(several.map((each) => (isJsonObject(each) ? typeOf(each) : 'anything')))].join(' or ');
  if (type === 'array') return `list of ${isJsonObject(items) ? typeOf(items) : 'anything'}`;
  if (type === undefined) return 'anything';
  return Array.isArray(type) ? type.map(String).join(' or ') : escapedHtml(String(type));
}

function relative(path: string): string {
  const folder = REFERENCE_PATH.slice(0, REFERENCE_PATH.lastIndexOf('/') + 1);
  return path.startsWith(folder) ? path.slice(folder.length) : `..${path}`;
}

function breakable(path: string): string {
  return escapedHtml(path).replaceAll('/', '/<wbr>');
}

function code(text: string): string {
  return escapedHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

export const REFERENCE_STYLE = `:root {
  color-scheme: light dark;
  --ink: light-dark(#1c2430, #e6e9ee);
  --faint: light-dark(#56606e, #a3adba);
  --paper: light-dark(#ffffff, #14181e);
  --panel: light-dark(#f5f7f9, #1c222a);
  --line: light-dark(#d9dfe6, #323b47);
  --accent: light-dark(#0b5c8a, #7cc4ef);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 80rem; padding: 0 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code, pre { font: .9em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "Liberation Mono", monospace; }
pre { margin: .5rem 0 0; max-height: 26rem; overflow: auto; padding: .9rem 1rem; background: var(--panel);
  border: 1px solid var(--line); border-radius: .4rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .3rem .6rem; }
header { padding: 2.5rem 0 1.5rem; border-bottom: 1px solid var(--line); }
header p { max-width: 46rem; }
.kind { margin: 0; color: var(--faint); font-size: .85rem; letter-spacing: .08em; text-transform: uppercase; }
h1 { margin: .1rem 0 .8rem; font-size: 2rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 .5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); font-size: 1.4rem; }
h3 { margin: 0 0 .4rem; font-size: 1rem; overflow-wrap: anywhere; }
.facts, .note, .count { color: var(--faint); }
.note { font-size: .8rem; padding: 0 .4rem; border: 1px solid var(--line); border-radius: .8rem; white-space: nowrap; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2.5rem; }
nav { font-size: .9rem; padding-top: 1.5rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { padding: .15rem 0; overflow-wrap: anywhere; }
nav li li { padding-left: 1rem; }
nav li li a { text-decoration: none; }
nav li li a:hover { text-decoration: underline; }
summary { cursor: pointer; padding: .15rem 0; }
article { margin: 1.2rem 0; padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: .5rem; }
article p { margin: .3rem 0; }
.method { font-size: .75rem; font-weight: 700; padding: .1rem .45rem; border-radius: .25rem; background: var(--accent); color: var(--paper); }
.call { padding: .4rem .7rem; background: var(--panel); border-radius: .3rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; width: 100%; }
th, td { padding: .35rem .8rem .35rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th { color: var(--faint); border-top: 0; }
@media (min-width: 60rem) {
  .columns { grid-template-columns: 17rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-bottom: 2rem; }
}
@media print {
  nav, .skip { display: none; }
  article { break-inside: avoid; }
}
`;
