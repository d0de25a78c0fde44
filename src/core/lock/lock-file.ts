/** Reading a lock file: strictly, since it is a proof and written by gridpress alone. */
import { finding } from '../diagnostics/finding.ts';
import { parsedObject } from '../model/json.ts';
import type { QuickCheck } from '../registry/quick-check.ts';
import { schemaProblems } from '../registry/schema-problems.ts';
import { decodeText, type Read } from '../registry/yaml/read-yaml.ts';
import { positionsIn } from '../registry/yaml/yaml-positions.ts';
import { LOCK_VERSION, type Lock } from './lock-format.ts';
import { lockSchema } from './lock-schema.ts';
import { lockFrom } from './lock-values.ts';

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
