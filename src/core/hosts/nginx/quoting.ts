/** A parameter. Inside quotes a backslash takes the meaning from these two; nothing takes it from a `$`, and no value has one. */
export function quotedParameter(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
