// The command and the Python lines of a picture, with what is chosen on its page.
import type { Shapes } from "./api";

/** The same lines with options that are not empty: the command, if there is one, takes them at its end, as does the last call of the Python lines. */
export function withChoices(code: Shapes["AsCode"], choices: Record<string, string | number>): Shapes["AsCode"] {
  const given = Object.entries(choices).filter(([, value]) => value !== "");
  const options = given.map(([name, value]) => ` --${name} ${quoted(String(value))}`).join("");
  const named = given.map(([name, value]) => `, ${name}=${JSON.stringify(value)}`).join("");
  return { command: code.command && code.command + options, python: code.python.replace(/\)$/, () => `${named})`) };
}

/** A word of a command line, in quotes where a shell would change it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}
