/** Reading a lock file: strictly, since it is a proof and written by gridpress alone. */
import { finding } from '../diagnostics/finding.ts';
import type { ClassDigests } from '../model/class-digests.ts';
import { FIELD_CLASSES } from '../model/field-classes.ts';
import { isJsonObject, type Json, type JsonObject, parsedObject } from '../model/json.ts';
import type { QuickCheck } from '../registry/quick-check.ts';
import { schemaProblems } from '../registry/schema-problems.ts';
import { decodeText, type Read } from '../registry/yaml/read-yaml.ts';
import { positionsIn } from '../registry/yaml/yaml-positions.ts';
import { LOCK_VERSION, type Lock, type LockedNode, lockSchema } from './lock-format.ts';

/** The schema itself is asked only where the quick check finds that something is wrong, or where there is none. */
export function readLockFile(file: string, bytes: Uint8Array, check: QuickCheck | undefined): Read<Lock> {
  const text = decodeText(file, bytes);
  if (text.findings) return text;
  const value = parsedObject(text.value);
  if (!value) return { findings: [finding('lock-not-json', {}, { file })] };
  const version = value['gridpress_lock'];
  if (typeof version === 'number' && version > LOCK_VERSION)
    return { findings: [finding('lock-newer', { version, known: LOCK_VERSION }, { file })] };
  if (!check?.(value)) {
    const findings = schemaProblems(lockSchema(), value).map(({ path, at, says }) =>
      finding(
        'schema',
        { field: path.map(String).join('.'), problem: says },
        positionsIn(file, text.value).locate(path, at),
      ),
    );
    if (findings.length > 0) return { findings };
  }
  return { value: lockFrom(value) };
}

/** What fits the schema, with its types. */
function lockFrom(value: JsonObject): Lock {
  const from = objectOf(value['from']);
  const revision = objectOf(value['revision']);
  const kind = textOf(from['kind']);
  const nodes = value['nodes'];
  return {
    gridpress_lock: LOCK_VERSION,
    from: { kind: kind === 'url' || kind === 'tree' ? kind : 'registry', place: textOf(from['place']) },
    revision: { id: textOf(revision['id']), date: optionalText(revision['date']) },
    class_rules: textOf(value['class_rules']),
    nodes: Array.isArray(nodes) ? nodes.map((node: Json) => nodeFrom(objectOf(node))) : [],
  };
}

function nodeFrom(node: JsonObject): LockedNode {
  return {
    path: textOf(node['path']),
    uid: textOf(node['uid']),
    node_name: optionalText(node['node_name']),
    latest_version: optionalText(node['latest_version']),
    digest: textOf(node['digest']),
    classes: classesFrom(objectOf(node['classes'])),
  };
}

function classesFrom(digests: JsonObject): ClassDigests {
  return Object.fromEntries(
    FIELD_CLASSES.flatMap((name) => {
      const digest = digests[name];
      return typeof digest === 'string' ? [[name, digest]] : [];
    }),
  );
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function optionalText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
