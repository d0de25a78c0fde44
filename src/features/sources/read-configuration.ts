import { baseUrlFinding, declaredKindFindings, reservedSegmentOf } from '../../core/api/configured-names.ts';
import { type Finding, fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { type Configuration, configurationOf, configurationSchema } from '../../core/model/configuration.ts';
import { citationSchema } from '../../core/model/configuration-parts.ts';
import { kindsWith } from '../../core/model/kinds.ts';
import { PUBLIC_FIELDS } from '../../core/model/private-fields.ts';
import { isSvgImage } from '../../core/model/svg-image.ts';
import { decode } from '../../core/registry/decode.ts';
import { locate } from '../../core/registry/yaml/yaml-positions.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { type ConfigurationPlace, configurationFile, readConfigurationFile } from './registry-files.ts';

export function readConfiguration(options: ConfigurationPlace): Configuration {
  return decodeConfiguration(options, readConfigurationFile(options));
}

export function decodeConfiguration(options: ConfigurationPlace, bytes: Uint8Array): Configuration {
  const check = packagedChecks('gridpress');
  const file = displayPath(configurationFile(options));
  const decoded = decode(file, bytes, configurationSchema, check);
  if (decoded.findings) return failAll(decoded.findings.map(withParent));
  const configuration = configurationOf(decoded.value, check);
  const { kinds, base_path: path, base_url: url, private: chosen, explorer } = configuration;
  const placeOf = (...way: PropertyKey[]) => locate(file, Buffer.from(bytes).toString('utf8'), way);
  const problems = declaredKindFindings(kinds, (...way) => placeOf('kinds', ...way));
  for (const action of ['omit', 'hash'] as const)
    for (const [i, name] of (chosen?.[action]?.fields ?? []).entries())
      if (PUBLIC_FIELDS.includes(name))
        problems.push(finding('private-fixed', { name }, placeOf('private', action, 'fields', i)));
  if (typeof explorer === 'object' && explorer.logo !== undefined && !isSvgImage(explorer.logo.trim()))
    problems.push(finding('logo-invalid', {}, placeOf('explorer', 'logo')));
  if (problems.length > 0) return failAll(problems);
  const name = reservedSegmentOf(path, kindsWith(kinds));
  if (name !== undefined) return fail(finding('base-path-taken', { path, name }, placeOf('base_path')));
  const wrong = url === undefined ? undefined : baseUrlFinding(url, path);
  return wrong ? fail({ ...wrong, place: placeOf('base_url') }) : configuration;
}

/** If an unknown setting is a field of `citation`, the remedy says so. */
function withParent(problem: Finding): Finding {
  if (problem.code !== 'schema' || !Object.hasOwn(citationSchema().shape, problem.args.field)) return problem;
  return { ...problem, args: { ...problem.args, parent: 'citation' } };
}
