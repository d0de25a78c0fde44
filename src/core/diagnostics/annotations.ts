/** Findings as the commands of GitHub Actions, which show them beside the lines of a pull request that they are about. */
import type { Finding } from './finding.ts';
import { findingRecord } from './render.ts';

/** A line for each finding: `::error file=...,line=...::message`. */
export function githubAnnotations(findings: readonly Finding[]): string {
  return findings.map((finding) => `${annotation(finding)}\n`).join('');
}

function annotation(finding: Finding): string {
  const { severity, code, message, fix, file, line, column } = findingRecord(finding);
  const properties = Object.entries({ file, line, col: column, title: `gridpress ${code}` })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${property(String(value))}`]))
    .join(',');
  return `::${severity} ${properties}::${data(`${message}\n${fix}`)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
